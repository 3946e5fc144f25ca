import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DirectoryRound } from '@rmeet/contract';
import {
  ldifPerson,
  SLAPD_ADMIN,
  SLAPD_SKIPPED,
  SLAPD_SUFFIX,
  startServer,
  startSlapd,
  type Api,
  type RunningServer,
  type Slapd,
} from '@rmeet/testkit';
import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';

const PEOPLE = 100_000;
const SEARCHES = 1_000;
/** A tenth of a second for a person who types a name. */
const SEARCH_MS = 100;
/** The memory that a round may take in addition, MB: it must not grow with the number of people. */
const GROWTH_MB = 200;
const KILOBYTES = 1_024;
const LOOK_EVERY = 200;
const SURNAMES = ['王', '李', '张', '刘', 'Smith', 'Garcia', 'Novak', 'Kowalski'];

/** LDIF of so many people in 200 departments. */
async function writeLdif(file: string, count: number): Promise<void> {
  const out = createWriteStream(file);
  for (let n = 0; n < count; n += 1) {
    const uid = `p${String(n).padStart(6, '0')}`;
    const person = ldifPerson(uid, {
      cn: `${SURNAMES[n % SURNAMES.length]} ${uid}`,
      mail: `${uid}@example.org`,
      departmentNumber: `Division ${n % 20}/Team ${n % 200}`,
    });
    if (!out.write(person)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

/** Resident memory of the server process, MB. */
function megabytesOf(server: RunningServer): number {
  const status = readFileSync(`/proc/${server.run().serverPid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / KILOBYTES;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function addDirectory(admin: Api, slapd: Slapd): Promise<{ id: string }> {
  return admin.directories.create({
    body: {
      name: 'Example',
      kind: 'ldap',
      enabled: true,
      address: slapd.ldaps,
      startTls: false,
      certificates: slapd.certificate,
      bindDn: SLAPD_ADMIN.dn,
      password: SLAPD_ADMIN.password,
      bases: [`ou=people,${SLAPD_SUFFIX}`],
      filter: '(objectClass=inetOrgPerson)',
      attributes: {
        account: 'uid',
        name: 'cn',
        email: 'mail',
        phone: 'mobile',
        department: 'departmentNumber',
        uniqueId: 'entryUUID',
      },
      departmentFrom: 'attribute',
      lockedBy: 'none',
      groups: [],
      nested: false,
      makesAccounts: true,
      changesPasswords: false,
      everyMinutes: 0,
      disableLimit: 20,
    },
  });
}

/** Runs a round to its end; with the highest memory meanwhile. */
async function roundOf(
  server: RunningServer,
  admin: Api,
  id: string,
  dryRun: boolean,
): Promise<{ round: DirectoryRound; peak: number }> {
  const started = await admin.directories.start({ params: { id }, body: { dryRun } });
  for (let peak = 0; ;) {
    await wait(LOOK_EVERY);
    peak = Math.max(peak, megabytesOf(server));
    const { records } = await admin.directories.rounds({ params: { id }, query: { size: 1 } });
    const [round] = records;
    if (round?.id === started.id && round.endedAt !== null) return { round, peak };
  }
}

/** How long a colleague waits for a search, ms: the middle and the 99th percentile. */
async function searchTimes(admin: Api, count: number): Promise<{ middle: number; p99: number }> {
  const times: number[] = [];
  for (let n = 0; n < SEARCHES; n += 1) {
    const digits = String((n * 7_919) % count).padStart(6, '0');
    const keyword = n % 2 === 0 ? `p${digits}`.slice(0, 4 + (n % 4)) : digits.slice(2);
    const began = performance.now();
    await admin.users.search({ query: { keyword } });
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  return { middle: times[SEARCHES / 2] ?? 0, p99: times[Math.floor(SEARCHES * 0.99)] ?? 0 };
}

/**
 * Synchronises a directory of 100,000 people (`--count`) in slapd: a dry run, the first round, and one without changes.
 * Then searches people as a colleague does.
 */
const directory: Soak = async ({ count = PEOPLE }) => {
  if (SLAPD_SKIPPED) return { passed: false, verdict: `Not run${SLAPD_SKIPPED}.` };
  const folder = mkdtempSync(join(tmpdir(), 'directory-'));
  const file = join(folder, 'people.ldif');
  await writeLdif(file, count);
  const slapd = await startSlapd({ file });
  const server = await startServer({ env: { RMEET_SEED: 'demo' } });
  const print = table(['round', 'seconds', 'people/s', 'MB more', 'created', 'state']);
  let [passed, growth] = [true, 0];
  try {
    const admin = await server.api.as('admin');
    const { id } = await addDirectory(admin, slapd);
    for (const name of ['dry run', 'first', 'unchanged']) {
      const before = megabytesOf(server);
      const { round, peak } = await roundOf(server, admin, id, name === 'dry run');
      const seconds = (Date.parse(round.endedAt ?? '') - Date.parse(round.startedAt)) / 1_000;
      print([name, seconds, Math.round(count / seconds), peak - before, round.counts.created, round.state]);
      passed &&= round.state === 'done' && round.people === count;
      growth = Math.max(growth, peak - before);
    }
    const { middle, p99 } = await searchTimes(admin, count);
    passed &&= p99 < SEARCH_MS && growth < GROWTH_MB;
    return {
      passed,
      verdict:
        `${passed ? 'Passed' : 'FAILED'}: ${count} people, at most ${Math.round(growth)} MB more (${GROWTH_MB} ` +
        `allowed); search of colleagues ${middle.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (${SEARCH_MS} allowed); ` +
        `${load()}.`,
    };
  } finally {
    await server.stop();
    await slapd.remove();
    await rm(folder, { recursive: true, force: true });
  }
};
export default directory;
