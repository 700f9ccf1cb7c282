import { sentenceOf } from '../error-sentence.js';
import { ResultFileError } from './file-error.js';
import type { JsonObject, ResultKind } from './kind.js';

function newerSentence(value: JsonObject, { kind, version }: ResultKind, from: string): string {
  const own = `this @ffma/bench reads ${version === 1 ? 'version 1' : `versions 1 to ${version}`} of that kind`;
  return `${from} is a ${kind} result of schema version ${value.schemaVersion}, and ${own}.`;
}

/** Which version of @ffma/bench reads a file that this one is too old for, as far as the file tells. */
function newerRemedy({ tool }: JsonObject): string {
  const by = (tool as JsonObject | null | undefined)?.['@ffma/bench'];
  return typeof by === 'string'
    ? `It was written by @ffma/bench ${by}: that version or a newer one reads it.`
    : 'It does not say what wrote it; try the newest @ffma/bench.';
}

/**
 * Brings the content of a file to the newest schema version of its kind, one version at a time. It is not checked.
 * @param from what the content came from, for errors
 * @throws ResultFileError for a version that is none, or that this package is too old for
 */
export function migrate(value: JsonObject, kind: ResultKind, from: string): JsonObject {
  const { schemaVersion: version } = value;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    const said = version === undefined ? 'missing' : JSON.stringify(version);
    throw new ResultFileError(
      `${from} is no ${kind.kind} result: schemaVersion must be an integer from 1, but is ${said}.`,
      {
        remedy: `${kind.writtenBy} writes such files.`,
      },
    );
  }
  if (version > kind.version)
    throw new ResultFileError(newerSentence(value, kind, from), { remedy: newerRemedy(value) });
  let content = value;
  for (let old = version; old < kind.version; old++) {
    try {
      content = { ...kind.migrations[old - 1]?.(content), schemaVersion: old + 1 };
    } catch (error) {
      throw new ResultFileError(
        `${from} cannot be brought from schema version ${old} of ${kind.kind} to ${old + 1}: ${sentenceOf(error)}.`,
        { cause: error, remedy: `${kind.writtenBy} writes such files.` },
      );
    }
  }
  return content;
}
