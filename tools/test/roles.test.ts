import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROLES_DOCUMENT, rolesDocument } from '../roles.ts';

test('docs/roles.md matches the contract; otherwise run `node tools/roles.ts`', () => {
  expect(readFileSync(ROLES_DOCUMENT, 'utf8')).toBe(rolesDocument());
});
