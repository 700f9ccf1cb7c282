import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A fenced block of TypeScript in a Markdown file. */
export interface CodeSample {
  /** Markdown file, relative to the root. */
  readonly file: string;
  /** 1-based line of the block's first line of code. */
  readonly line: number;
  readonly code: string;
}

/** Every ```ts block of a Markdown file. */
export function codeSamples(root: string, file: string): CodeSample[] {
  const samples: CodeSample[] = [];
  let open: { line: number; code: string[] } | undefined;
  for (const [i, text] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
    if (open === undefined) {
      if (/^```ts\s*$/.test(text)) open = { line: i + 2, code: [] };
    } else if (text.startsWith('```')) {
      samples.push({ file, line: open.line, code: open.code.join('\n') });
      open = undefined;
    } else {
      open.code.push(text);
    }
  }
  return samples;
}

/**
 * Type errors of samples, each as `file:line: message`. A sample is a module of its own that stands in `test/`,
 * so it sees the built packages as somebody does who installed them all.
 */
export function sampleErrors(root: string, samples: readonly CodeSample[]): string[] {
  const config = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const byPath = new Map(samples.map((sample, i) => [join(root, 'test', `sample-${i}.ts`), sample]));
  const settings: ts.CompilerOptions = {
    ...options,
    noEmit: true,
    composite: false,
    declaration: false,
    declarationMap: false,
    moduleDetection: ts.ModuleDetectionKind.Force,
  };
  const host = ts.createCompilerHost(settings);
  const readFile = host.readFile;
  const fileExists = host.fileExists;
  host.readFile = (path) => byPath.get(path)?.code ?? readFile(path);
  host.fileExists = (path) => byPath.has(path) || fileExists(path);
  host.getSourceFile = (path, languageVersion) => {
    const text = host.readFile(path);
    return text === undefined ? undefined : ts.createSourceFile(path, text, languageVersion);
  };
  const program = ts.createProgram([...byPath.keys()], settings, host);
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ');
    const sample = diagnostic.file && byPath.get(diagnostic.file.fileName);
    if (!sample || !diagnostic.file) return text;
    const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
    return `${sample.file}:${sample.line + line}: ${text}`;
  });
}
