import type { DirectorySettings } from '@rmeet/contract';
import {
  AndFilter,
  EqualityFilter,
  FilterParser,
  OrFilter,
  ResultCodeError,
  type Client,
  type Entry,
  type Filter,
} from 'ldapts';
import { connectTo, type DirectoryAddress } from './connection.ts';
import { dnKey, parentOf } from './dn.ts';
import { changePassword, checkPassword, type PasswordVerdict } from './passwords.ts';
import { attributesOf, personOf, type DirectoryPerson } from './person.ts';
import { DirectoryFailure, failureOf } from './problem.ts';

/** A directory with the password of the account that searches. */
export type KnownDirectory = DirectorySettings & DirectoryAddress;

/** People of one page (RFC 2696). Active Directory gives 1,000 at most. */
const PAGE = 500;
const NO_SUCH_OBJECT = 32;
const BINARY = ['objectGUID'];

/** An open connection to a directory. Referrals to other servers are not followed. */
export interface OpenDirectory {
  /** The one person with this account name; undefined if there is none, or several. */
  findByAccount(account: string): Promise<DirectoryPerson | undefined>;
  findByUniqueId(uniqueId: string): Promise<DirectoryPerson | undefined>;
  /** The first people, at most `size` of each base. */
  firstPeople(size: number): Promise<DirectoryPerson[]>;
  /** Everybody, page by page. With a filter only those who meet it, too. */
  pages(more?: Filter): AsyncGenerator<DirectoryPerson[]>;
  /** One entry; undefined if there is none. */
  read(dn: string, attributes: string[]): Promise<Entry | undefined>;
  /** The keys (dnKey) of the groups in the same place as this one, and below. */
  groupsBeside(dn: string): Promise<Set<string>>;
  /** Checks a password; afterwards the connection is the person's. */
  checkPassword(dn: string, password: string): Promise<PasswordVerdict>;
  /** Changes a password. In Active Directory before `checkPassword`, elsewhere after it. */
  changePassword(change: { dn: string; from: string; to: string }): Promise<'changed' | 'refused' | 'wrong'>;
  close(): Promise<void>;
}

/** Parses a filter of the settings. @throws DirectoryFailure FILTER_WRONG */
export function filterOf(text: string): Filter {
  try {
    // The parser forgives missing ones. Those in values are written `\\28` and `\\29`.
    if (text.split('(').length !== text.split(')').length) throw new Error('The parentheses do not match.');
    return FilterParser.parseString(text);
  } catch (error) {
    throw new DirectoryFailure('FILTER_WRONG', (error as Error).message, { cause: error });
  }
}

/** Values go into the request as they are, not as part of a text that is parsed, so nothing in them is a filter. */
const equals = (attribute: string, value: string | Buffer): Filter => new EqualityFilter({ attribute, value });

/** Opens a connection. Every answer must come within `within` ms. @throws DirectoryFailure, as do all its methods */
export async function openDirectory(
  settings: KnownDirectory,
  hosts: readonly string[],
  within: number,
): Promise<OpenDirectory> {
  const people = filterOf(settings.filter);
  const { client, isEncrypted } = await connectTo(settings, hosts, within);
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw failureOf(error);
    }
  };
  const options = {
    attributes: attributesOf(settings),
    explicitBufferAttributes: BINARY,
  };
  const presented = (entries: readonly Entry[]): DirectoryPerson[] => entries.map((entry) => personOf(entry, settings));

  /** Two are enough to know that there are several. */
  async function findOne(condition: Filter): Promise<DirectoryPerson | undefined> {
    const filter = new AndFilter({ filters: [people, condition] });
    const found: Entry[] = [];
    for (const base of settings.bases)
      found.push(...(await client.search(base, { ...options, filter, sizeLimit: 2 })).searchEntries);
    const [person, ...others] = presented(found);
    return person && person.uniqueId !== '' && others.every(({ dn }) => dn === person.dn) ? person : undefined;
  }

  const idValue = (uniqueId: string): string | Buffer =>
    BINARY.some((name) => name.toLowerCase() === settings.attributes.uniqueId.toLowerCase())
      ? Buffer.from(uniqueId, 'hex')
      : uniqueId;

  return {
    findByAccount: (account) => run(() => findOne(equals(settings.attributes.account, account))),
    findByUniqueId: (uniqueId) => run(() => findOne(equals(settings.attributes.uniqueId, idValue(uniqueId)))),
    firstPeople: (size) =>
      run(async () => {
        const found: Entry[] = [];
        for (const base of settings.bases)
          found.push(...(await client.search(base, { ...options, filter: people, sizeLimit: size })).searchEntries);
        return presented(found);
      }),
    pages: (more) => pagesOf(client, settings, more ? new AndFilter({ filters: [people, more] }) : people),
    read: (dn, attributes) => run(() => readEntry(client, dn, attributes)),
    groupsBeside: (dn) => run(() => groupsBeside(client, dn)),
    checkPassword: (dn, password) => run(() => checkPassword(client, dn, password)),
    changePassword: (change) => {
      if (settings.kind === 'activeDirectory' && !isEncrypted) throw new DirectoryFailure('PLAIN_FORBIDDEN');
      return run(() => changePassword(client, settings.kind, change));
    },
    close: () => client.unbind().catch(() => undefined),
  };
}

async function readEntry(client: Client, dn: string, attributes: string[]): Promise<Entry | undefined> {
  try {
    return (await client.search(dn, { scope: 'base', attributes })).searchEntries[0];
  } catch (error) {
    if (error instanceof ResultCodeError && error.code === NO_SUCH_OBJECT) return undefined;
    throw error;
  }
}

const GROUPS = ['groupOfNames', 'groupOfUniqueNames', 'groupOfMembers', 'posixGroup', 'group'];

async function groupsBeside(client: Client, dn: string): Promise<Set<string>> {
  const filter = new OrFilter({ filters: GROUPS.map((name) => equals('objectClass', name)) });
  const pages = client.searchPaginated(parentOf(dn), { attributes: ['1.1'], filter, paged: { pageSize: PAGE } });
  const keys = new Set<string>();
  for await (const { searchEntries } of pages) for (const entry of searchEntries) keys.add(dnKey(entry.dn));
  return keys;
}

async function* pagesOf(client: Client, settings: KnownDirectory, filter: Filter): AsyncGenerator<DirectoryPerson[]> {
  try {
    for (const base of settings.bases) {
      const pages = client.searchPaginated(base, {
        attributes: attributesOf(settings),
        explicitBufferAttributes: BINARY,
        filter,
        paged: { pageSize: PAGE },
      });
      for await (const { searchEntries } of pages)
        yield searchEntries.map((entry) => personOf(entry, settings)).filter(({ uniqueId }) => uniqueId !== '');
    }
  } catch (error) {
    throw failureOf(error);
  }
}
