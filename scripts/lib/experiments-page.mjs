// The list of docs/experiments.md, made from what the kernel packages declare.
import { sizeLabel } from '@ffma/core';

/**
 * How an experiment is run and reported.
 * @param {import('@ffma/core').Experiment} experiment
 */
const commands = ({ name }) => [
  '```sh',
  `npx ffma experiment run ${name} --check`,
  `npx ffma experiment run ${name} --device cuda --json results/h200-${name}.json`,
  '```',
];

/**
 * @param {number} count
 * @param {string} noun
 */
const counted = (count, noun) => (count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`]);

/**
 * A list item in lines of at most 120 columns.
 * @param {string} text
 */
function item(text) {
  const lines = [];
  let line = '-';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > 120) {
      lines.push(line);
      line = ' ';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

/**
 * What it says and how it is run.
 * @param {import('@ffma/bench').DiscoveredExperiment} found
 */
function section({ experiment, package: owner }) {
  const { name, question, source, sizes, rows, packages = [], pairs = [] } = experiment;
  const figures = rows.flatMap(({ published = [] }) => published).length;
  const counts = [
    ...counted(rows.length, 'row'),
    ...counted(pairs.length, 'pair'),
    ...counted(figures, 'published figure'),
  ];
  return [
    `### ${name}`,
    '',
    question,
    '',
    ...item(`Declared by \`${owner.name}\`${packages.map((one) => `, with kernels of \`${one}\``).join('')}`),
    ...item(`Repeats ${source.table} in ${source.title}`),
    ...item(`At ${sizes.map(sizeLabel).join(', ')}: ${counts.join(', ')}`),
    '',
    ...commands(experiment),
    '',
  ];
}

/**
 * The lines of the list.
 * @param {readonly import('@ffma/bench').DiscoveredExperiment[]} experiments
 */
export function experimentLines(experiments) {
  return experiments.flatMap(section).slice(0, -1);
}
