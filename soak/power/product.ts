import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { preparePostgres } from '@rmeet/postgres';
import { CallError, startServer, type Api } from '@rmeet/testkit';
import { installPackages } from '../../tools/browser.ts';
import { connectTo } from './database.ts';
import { endFamily } from './processes.ts';
import type { Ledger, Reading, Start } from './run.ts';
import { damage } from './writes.ts';

const HOUR = 3_600_000;
/** No meeting begins while the soak runs. */
const AHEAD = 24 * HOUR;
const PAGE = 200;
const FILE_BYTES = 60_000;
const DOWNLOADS_AT_ONCE = 8;
const PEOPLE = ['admin', 'chair', 'alice', 'bob'];
/** Turns each flush of each program started with it into a no-op (Debian package libeatmydata1). */
const NO_FLUSH = 'libeatmydata.so';

/** Why the control cannot run, in a sentence; installs what is missing. */
export function noFlushMissing(): string | null {
  const tried = spawnSync('true', { env: { ...process.env, LD_PRELOAD: NO_FLUSH }, encoding: 'utf8' });
  return tried.stderr === '' ? null : installPackages(['libeatmydata1'], 'the control of the soak of power losses');
}

type Caller = Api & { token: string };

/** The content of a mark's file. */
const contentOf = (mark: string): string => `${mark} `.repeat(Math.ceil(FILE_BYTES / (mark.length + 1)));

/** A room for each client: local meetings, which have files, take place in one. */
async function addRooms(admin: Api): Promise<string[]> {
  const { id: buildingId } = await admin.rooms.createBuilding({
    body: { name: `Power ${Date.now()}`, timeZone: 'UTC' },
  });
  const ids: string[] = [];
  for (const name of PEOPLE)
    ids.push((await admin.rooms.create({ body: { name, buildingId, floor: '1', capacity: 8 } })).id);
  return ids;
}

/** One person books one half hour after the other without a pause, every second meeting with a file. */
async function book(api: Api, roomId: string, ledger: Ledger): Promise<void> {
  for (let start = Math.ceil(Date.now() / HOUR) * HOUR + AHEAD; ; start += HOUR / 2) {
    const number = ledger.next();
    const mark = `Power${number}`;
    const body = { subject: mark, startTime: new Date(start).toISOString(), duration: 30, participants: [] };
    if (number % 2 === 0) await api.meetings.createNetwork({ body: { ...body, password: '4821' } });
    else
      await api.meetings.createLocal({
        body: { ...body, roomIds: [roomId] },
        files: [new File([contentOf(mark)], `${mark}.txt`)],
      });
    ledger.acknowledged(mark);
  }
}

/** Every existing meeting; it is broken if its file differs from what was sent, acknowledged or not. */
async function readMeetings(url: string, api: Caller): Promise<Reading> {
  const found = new Set<string>();
  const corrupt: string[] = [];
  const files: { mark: string; id: string }[] = [];
  for (let current = 1; ; current += 1) {
    const { records } = await api.meetings.list({
      query: { size: PAGE, current, keyword: 'Power', tenantWide: 'true' },
    });
    for (const {
      subject,
      type,
      files: [file],
    } of records) {
      if (type !== 'LOCAL_MEETING') found.add(subject);
      else if (file) files.push({ mark: subject, id: file.id });
      else corrupt.push(`${subject} is booked without its file`);
    }
    if (records.length < PAGE) break;
  }
  const left = files.values();
  await Promise.all(
    Array.from({ length: DOWNLOADS_AT_ONCE }, async () => {
      for (const { mark, id } of left) {
        const answer = await fetch(`${url}/api/api/v1/meetingFile/file/download/${id}`, {
          headers: { authorization: api.token },
        });
        const text = await answer.text();
        if (answer.status === 200 && text === contentOf(mark)) found.add(mark);
        else corrupt.push(`${mark} is booked, and its file is answered with ${answer.status} and ${text.length} bytes`);
      }
    }),
  );
  return { found, corrupt };
}

/** The whole product on a data folder: its bookings, and their files. */
export const startProduct: Start = async (folder, { isFlushing }) => {
  const data = join(folder, 'data');
  const server = await startServer({
    data,
    env: { RMEET_SEED: 'demo', RMEET_MEDIA_PROCESSES: '1', ...(isFlushing ? {} : { LD_PRELOAD: NO_FLUSH }) },
  });
  const { url, api, supervisor } = server;
  const read = async (): Promise<Reading> => {
    const client = await connectTo((await preparePostgres({ folder: join(data, 'postgres') })).url);
    try {
      await client.query('CREATE EXTENSION IF NOT EXISTS amcheck');
      const { found, corrupt } = await readMeetings(url, await api.as('admin'));
      return { found, corrupt: [...(await damage(client)), ...corrupt] };
    } finally {
      await client.end();
    }
  };
  const write = async (ledger: Ledger): Promise<void> => {
    const people: Api[] = [];
    for (const account of PEOPLE) people.push(await api.as(account));
    const roomIds = await addRooms(people[0]!);
    const ends = await Promise.allSettled(people.map((one, at) => book(one, roomIds[at]!, ledger)));
    // Calls fail when the power is lost; a refusal would be this program's fault.
    for (const end of ends)
      if (end.status === 'rejected' && end.reason instanceof CallError) console.log(`  ${end.reason.message}`);
  };
  return { write, read, end: () => endFamily(supervisor.pid!) };
};
