import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROLES_DOCUMENT, rolesDocument } from '../roles.ts';

test('docs/roles.md says what the contract says; else run `node tools/roles.ts`', () => {
  expect(readFileSync(ROLES_DOCUMENT, 'utf8')).toBe(rolesDocument());
});
