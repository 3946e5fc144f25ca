/**
 * Writes docs/roles.md from the role tables of the contract: `node tools/roles.ts`. A test fails while it is outdated.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  conferenceRight,
  CONFERENCE_PARTS,
  CONFERENCE_RIGHTS,
  RIGHT_CONDITIONS,
  type ConferencePart,
  type ConferenceRight,
} from '@rmeet/conference';
import { ACCOUNT_ROLES, PERMISSION_CODES, permissionDefinition } from '@rmeet/contract';

export const ROLES_DOCUMENT = fileURLToPath(new URL('../docs/roles.md', import.meta.url));

const markdownTable = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function accountRoles(): string {
  return markdownTable(
    ['role', 'zh', 'an account of', 'brings the permissions'],
    Object.entries(ACCOUNT_ROLES).map(([role, { zh, en, of, codes: brought }]) => [
      `${en} (\`${role}\`)`,
      zh,
      of === 'operator' ? 'the platform' : 'a tenant',
      codes(brought) || '–',
    ]),
  );
}

function permissions(): string {
  return markdownTable(
    ['code', 'zh', 'en', 'kind', 'can be granted to', 'in use'],
    PERMISSION_CODES.map((code) => {
      const { zh, en, kind, grantableTo, inUse } = permissionDefinition(code);
      return [
        `\`${code}\``,
        zh,
        en,
        kind,
        grantableTo.map((of) => `${of}s`).join(', ') || 'nobody',
        inUse ? 'yes' : 'not yet',
      ];
    }),
  );
}

function cell(part: ConferencePart, right: ConferenceRight): string {
  const answer = conferenceRight(part, right);
  if (typeof answer === 'boolean') return answer ? 'yes' : '';
  return RIGHT_CONDITIONS[answer].en;
}

function conferenceParts(): string {
  return markdownTable(
    ['', 'zh', ''],
    Object.entries(CONFERENCE_PARTS).map(([part, { zh, en, comment }]) => [`${en} (\`${part}\`)`, zh, comment]),
  );
}

function conferenceRights(): string {
  const parts = Object.keys(CONFERENCE_PARTS) as ConferencePart[];
  return markdownTable(
    ['right', ...parts.map((part) => CONFERENCE_PARTS[part].en)],
    Object.entries(CONFERENCE_RIGHTS).map(([right, { zh, en }]) =>
      [`${en} (\`${right}\`, ${zh})`].concat(parts.map((part) => cell(part, right as ConferenceRight))),
    ),
  );
}

const SOURCES =
  'Made by `node tools/roles.ts` from `packages/contract/src/accounts/account-roles.ts`, ' +
  '`packages/contract/src/accounts/permissions-catalogue.ts` and `packages/conference/src/roles.ts`. ' +
  'Change those; this page follows.';
const PERMISSIONS =
  'Features are what people may use; a tenant can be denied them, whatever is granted. The others are what people ' +
  'may manage; what can be granted to nobody comes with an account role alone.';

/** The text of docs/roles.md. */
export const rolesDocument = (): string => `# Roles

${SOURCES}

## Accounts

What an account may do by being what it is. Everything else comes from roles and permissions granted to it.

${accountRoles()}

## Permissions

${PERMISSIONS}

${permissions()}

## Conferences

What somebody is to a conference:

${conferenceParts()}

What they may do in it:

${conferenceRights()}
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(ROLES_DOCUMENT, rolesDocument());
