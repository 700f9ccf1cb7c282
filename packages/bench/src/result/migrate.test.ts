import { expect, test } from 'vitest';
import { z } from 'zod';
import { ResultFileError } from './file-error.js';
import { defineResultKind, type JsonObject } from './kind.js';
import { kindNamed, resultKinds } from './kinds.js';
import { migrate } from './migrate.js';

const schema = z.object({ kind: z.literal('soup'), schemaVersion: z.literal(3) });
const soup = defineResultKind({
  kind: 'soup',
  version: 3,
  schema,
  migrations: [
    ({ pot, ...rest }) => ({ ...rest, pots: [pot] }),
    ({ pots, ...rest }) => ({ ...rest, pots: (pots as string[]).map((name) => ({ name })) }),
  ],
  writtenBy: 'cook',
});

const file = (content: JsonObject) => ({ kind: 'soup', ...content });

test('an old version is migrated one version at a time', () => {
  const newest = file({ schemaVersion: 3, pots: [{ name: 'red' }] });
  expect(migrate(file({ schemaVersion: 1, pot: 'red' }), soup, 's.json')).toEqual(newest);
  expect(migrate(file({ schemaVersion: 2, pots: ['red'] }), soup, 's.json')).toEqual(newest);
  expect(migrate(newest, soup, 's.json')).toBe(newest);
});

test('the content that is migrated stays as it was', () => {
  const old = Object.freeze(file({ schemaVersion: 1, pot: 'red' }));
  migrate(old, soup, 's.json');
  expect(old).toEqual(file({ schemaVersion: 1, pot: 'red' }));
});

test('what breaks a migration is named with its step', () => {
  expect(() => migrate(file({ schemaVersion: 2 }), soup, 's.json')).toThrow(
    /^s\.json cannot be brought from schema version 2 of soup to 3: .* cook writes such files\.$/,
  );
});

test.each([[0], [-1], [1.5], ['2'], [null], [undefined], [4]])(
  'schema version %s is refused',
  (schemaVersion) => {
    expect(() => migrate(file({ schemaVersion }), soup, 's.json')).toThrow(ResultFileError);
  },
);

test('a kind without a migration for each older version cannot be declared', () => {
  expect(() => defineResultKind({ ...soup, migrations: [] })).toThrow(
    'Version 3 of soup needs 2 migrations, not 0.',
  );
});

test('kinds are told apart by their names', () => {
  expect(new Set(resultKinds.map(({ kind }) => kind)).size).toBe(resultKinds.length);
  expect(kindNamed('bench')?.writtenBy).toBe('ffma bench --json');
  expect(kindNamed('toString')).toBeUndefined();
});
