import type { DirectorySettings } from '@rmeet/contract';
import { EqualityFilter, ExtensibleFilter } from 'ldapts';
import type { OpenDirectory } from './ldap/directory.ts';
import { dnKey } from './ldap/dn.ts';
import { valuesOf, type DirectoryPerson } from './ldap/person.ts';

/** The roles of a person by the groups of the settings. */
export type RolesOf = (person: DirectoryPerson) => string[];
type GroupSettings = Pick<DirectorySettings, 'kind' | 'groups' | 'nested'>;

/** LDAP_MATCHING_RULE_IN_CHAIN: Active Directory walks the groups itself ([MS-ADTS], section 3.1.1.3.4.4.3). */
const IN_CHAIN = '1.2.840.113556.1.4.1941';
const MEMBERS = ['member', 'uniqueMember', 'memberUid'];
/** Groups that are walked from one group of the settings; more is a loop of the directory, or a mistake. */
const GROUPS_MAX = 5_000;

function add(roles: Map<string, Set<string>>, key: string, roleId: string): void {
  const known = roles.get(key);
  if (known) known.add(roleId);
  else roles.set(key, new Set([roleId]));
}

/** In Active Directory a group tells 1,500 members at most at once; its people are searched instead. */
async function bySearch(open: OpenDirectory, { groups, nested }: GroupSettings): Promise<RolesOf> {
  const roles = new Map<string, Set<string>>();
  for (const { dn, roleId } of groups) {
    const filter = nested
      ? new ExtensibleFilter({ matchType: 'memberOf', rule: IN_CHAIN, value: dn })
      : new EqualityFilter({ attribute: 'memberOf', value: dn });
    for await (const page of open.pages(filter)) for (const { uniqueId } of page) add(roles, uniqueId, roleId);
  }
  return ({ uniqueId }) => [...(roles.get(uniqueId) ?? [])];
}

/** Walks the groups. Members are names of people and groups (RFC 4519), or account names (RFC 2307). */
async function byMembers(open: OpenDirectory, { groups, nested }: GroupSettings): Promise<RolesOf> {
  const [byDn, byAccount] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  for (const { dn, roleId } of groups) {
    const inside = nested ? await open.groupsBeside(dn) : new Set<string>();
    const walked = new Set([dnKey(dn)]);
    const waiting = [dn];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const entry = await open.read(next, MEMBERS);
      if (!entry) continue;
      for (const name of valuesOf(entry, 'memberUid')) add(byAccount, name.toString().toLowerCase(), roleId);
      for (const member of [...valuesOf(entry, 'member'), ...valuesOf(entry, 'uniqueMember')]) {
        const key = dnKey(member.toString());
        add(byDn, key, roleId);
        if (!inside.has(key) || walked.has(key) || walked.size >= GROUPS_MAX) continue;
        walked.add(key);
        waiting.push(member.toString());
      }
    }
  }
  return ({ dn, account }) => [
    ...new Set([...(byDn.get(dnKey(dn)) ?? []), ...(byAccount.get(account.toLowerCase()) ?? [])]),
  ];
}

/** Reads the groups of the settings. @throws DirectoryFailure */
export function readGroups(open: OpenDirectory, settings: GroupSettings): Promise<RolesOf> {
  if (settings.groups.length === 0) return Promise.resolve(() => []);
  return settings.kind === 'activeDirectory' ? bySearch(open, settings) : byMembers(open, settings);
}
