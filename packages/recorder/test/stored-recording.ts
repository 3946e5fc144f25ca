import { randomInt, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { applyCommand, controlChanges, NO_CONTROL, type ConferenceCommand } from '@rmeet/conference';
import { recordingKeys, type RecordingIndex, type RecordingSegment, type RecordingTrack } from '@rmeet/contract';
import type { Colour } from '@rmeet/participant';
import { annexBUnits } from '@rmeet/rtp';
import { connected } from '@rmeet/testkit/database';
import { videoClip } from '../../participant/src/clips.ts';
import { AacEncoder } from '../src/packager/aac.ts';
import { Packager } from '../src/packager/packager.ts';
import { STEREO } from '../src/packager/sample-entries.ts';
import { BLOCK, CHANNELS, SAMPLE_RATE } from '../src/voice.ts';

/** Seconds of the recording. */
export const STORED_SECONDS = 12;
const HEIGHT = 180;
const LEVEL = 0.125;

/** Where a server has its data. */
export interface ServerData {
  /** Its data folder. */
  folder: string;
  databaseUrl: string;
}

export interface StoredOptions {
  /** The account name of the host; the host's organisation has the recording. */
  host?: string;
  /** The account name of the second person. */
  second?: string;
  subject?: string;
  /** When the recording began; an hour ago by default. */
  startedAt?: Date;
  agenda?: string;
  /** Two people's cameras and microphones beside the programme. */
  withTracks?: boolean;
  /** It still runs, and so does its conference. */
  isRunning?: boolean;
  /** Stretches that are said to be missing. */
  gaps?: RecordingIndex['gaps'];
  /** Stretches in which the second person is said to have been a name card. */
  cards?: Omit<NonNullable<RecordingIndex['cards']>[number], 'termId'>[];
  /** Its texts can be searched at once; else after a minute, when the server has stored them. */
  isSearchable?: boolean;
}

export interface StoredRecording {
  id: string;
  meetId: string;
  conferenceId: string;
  tenantId: string;
  /** termIds of the host, of the second person and of the guest Grace. */
  host: string;
  second: string;
  guest: string;
  index: RecordingIndex;
}

/** The files of a track by name, and its segments. */
interface MadeTrack {
  files: Map<string, Buffer>;
  segments: RecordingSegment[];
}

interface Stretch {
  colour: Colour;
  seconds: number;
}

let tone: Promise<[Uint8Array, number][]> | undefined;

/** A tone in every second second, encoded once. */
async function encodedTone(): Promise<[Uint8Array, number][]> {
  const frames: [Uint8Array, number][] = [];
  const encoder = new AacEncoder(STEREO, (data, position) => frames.push([data.slice(), position]));
  for (let position = 0; position < STORED_SECONDS * SAMPLE_RATE; position += BLOCK) {
    const block = Float32Array.from({ length: BLOCK * CHANNELS }, (_, n) => {
      const at = (position + (n >> 1)) / SAMPLE_RATE;
      return at % 2 < 1 ? 0 : LEVEL * Math.sin(2 * Math.PI * 700 * at);
    });
    encoder.add(block, position);
  }
  await encoder.finish();
  return frames;
}

const made = new Map<string, Promise<MadeTrack>>();

/** Makes the media of a track once in a process. */
function trackOf(stretches: readonly Stretch[], hasSound: boolean): Promise<MadeTrack> {
  const key = JSON.stringify([stretches, hasSound]);
  const known = made.get(key) ?? makeTrack(stretches, hasSound);
  made.set(key, known);
  return known;
}

async function makeTrack(stretches: readonly Stretch[], hasSound: boolean): Promise<MadeTrack> {
  const files = new Map<string, Buffer>();
  const segments: RecordingSegment[] = [];
  const packager = new Packager(
    { startsAt: 0, hasPicture: stretches.length > 0, sound: hasSound ? STEREO : undefined },
    {
      takeInit: (number, data) => files.set(`init-${number}.mp4`, data),
      takePart: ({ segment, init, at, duration, data }) => {
        const name = `segment-${init}-${segment}.m4s`;
        files.set(name, Buffer.concat([files.get(name) ?? Buffer.alloc(0), data]));
        const last = segments.at(-1);
        if (last?.number !== segment)
          segments.push({ number: segment, init, at: Math.round(at), duration, bytes: data.length });
        else Object.assign(last, { duration: last.duration + duration, bytes: last.bytes + data.length });
      },
    },
  );
  if (hasSound) for (const [data, position] of await (tone ??= encodedTone())) packager.addSound(data, position);
  let start = 0;
  for (const { colour, seconds } of stretches) {
    const { frames, frameRate } = videoClip('h264', colour, HEIGHT);
    for (let n = 0; n < seconds * frameRate; n += 1) {
      const at = (start + n / frameRate) * 1_000;
      packager.advance(at - 1);
      packager.addPicture(annexBUnits(frames[n % frames.length]!), n % frames.length === 0, at);
    }
    start += seconds;
  }
  packager.finish(STORED_SECONDS * 1_000);
  return { files, segments };
}

interface Person {
  termId: string;
  accountId: string | null;
  name: string;
  role: 'host' | 'member' | 'guest';
}

/** What happens, in ms since the start of the recording. */
function happenings({ host, second, guest }: Record<'host' | 'second' | 'guest', Person>, id: string, began: Date) {
  const iso = (ms: number): string => new Date(began.getTime() + ms).toISOString();
  const arrive = ({ termId, name, role }: Person): ConferenceCommand => ({
    verb: 'arrive',
    termId,
    name,
    role,
    previousTermId: null,
  });
  const voteId = randomUUID();
  const commands: [number, ConferenceCommand][] = [
    [-3_000, arrive(host)],
    [-2_000, arrive(second)],
    [0, { verb: 'record', action: 'START', recordingId: id, at: iso(0) }],
    [2_000, arrive(guest)],
    [4_000, { verb: 'speaker', termId: second.termId }],
    [5_000, { verb: 'layout', model: '4', places: [] }],
    [5_500, { verb: 'lowerHands', termIds: [guest.termId] }],
    [
      6_000,
      {
        verb: 'banner',
        termId: null,
        banner: {
          text: 'Admissions of Monday',
          position: 'BOTTOM',
          size: 'MEDIUM',
          scroll: 'NONE',
          language: 'en',
          since: iso(6_000),
          until: null,
        },
      },
    ],
    [8_000, { verb: 'banner', termId: null, banner: null }],
    [
      8_500,
      {
        verb: 'vote',
        id: voteId,
        question: 'Is the plan approved?',
        options: ['Yes', 'No'],
        isSecret: false,
        at: iso(8_500),
      },
    ],
    [9_500, { verb: 'voteClose', counts: [2, 0], at: iso(9_500) }],
    [10_000, { verb: 'rollCall', entries: [{ termId: host.termId, name: host.name }], at: iso(10_000) }],
    [11_000, { verb: 'depart', termIds: [guest.termId] }],
    [12_000, { verb: 'record', action: 'STOP', recordingId: id, at: iso(12_000) }],
    [12_500, { verb: 'end' }],
  ];
  const chat: [number, Person, string, Person | null][] = [
    [3_000, host, 'The results are in', null],
    [5_500, second, 'A private remark', host],
    [9_000, second, 'Thank you all', null],
  ];
  return { commands, chat };
}

type Run = (text: string, values: readonly unknown[]) => Promise<Record<string, unknown>[]>;

function insert(run: Run, table: string, row: Record<string, unknown>): Promise<unknown> {
  const names = Object.keys(row);
  const places = names.map((_, n) => `$${n + 1}`);
  return run(`insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`, Object.values(row));
}

async function accountOf(run: Run, name: string) {
  const [row] = await run('select id, tenant_id, name from account where account = $1 order by created_at', [name]);
  if (!row) throw new Error(`There is no account ${name}.`);
  return row as { id: string; tenant_id: string; name: string };
}

const newTermId = (): string => `T${randomUUID().replaceAll('-', '').slice(0, 11)}`;

/** The tracks of the recording with their files: the programme, and two people's cameras and microphones. */
async function tracksOf(host: Person, second: Person, withTracks: boolean): Promise<[RecordingTrack, MadeTrack][]> {
  const both: Stretch[] = [
    { colour: 'red', seconds: 4 },
    { colour: 'blue', seconds: STORED_SECONDS - 4 },
  ];
  const programme = await trackOf(both, true);
  const all: [RecordingTrack, MadeTrack][] = [
    [{ id: 'programme', kind: 'programme', termId: null, name: '', segments: programme.segments }, programme],
  ];
  for (const [person, colour] of withTracks
    ? ([
        [host, 'red'],
        [second, 'blue'],
      ] as const)
    : []) {
    const parts = [
      ['camera', await trackOf([{ colour, seconds: STORED_SECONDS }], false)],
      ['microphone', await trackOf([], true)],
    ] as const;
    for (const [kind, track] of parts) {
      const { termId, name } = person;
      all.push([{ id: `${kind}-${termId}`, kind, termId, name, segments: track.segments }, track]);
    }
  }
  return all;
}

/** The meeting and its conference, with the people in it, what they did and wrote. */
async function storeConference(
  run: Run,
  ids: { id: string; meetId: string; conferenceId: string; tenantId: string },
  people: Record<'host' | 'second' | 'guest', Person>,
  { began, subject, agenda, isRunning }: { began: Date; subject: string; agenda: string; isRunning: boolean },
): Promise<void> {
  const { id, meetId, conferenceId, tenantId } = ids;
  const at = (ms: number): Date => new Date(began.getTime() + ms);
  const number = String(randomInt(100_000_000, 1_000_000_000));
  await insert(run, 'meeting_number', { number, tenant_id: tenantId, kind: 'meeting', created_at: at(-60_000) });
  await insert(run, 'meeting', {
    id: meetId,
    tenant_id: tenantId,
    number,
    type: 'NETWORK_MEETING',
    subject,
    agenda,
    waiting_room: true,
    start_time: at(-60_000),
    duration: 60,
    end_time: at(59 * 60_000),
    status: isRunning ? 'ONLINE' : 'OFFLINE',
    host_id: people.host.accountId,
    created_at: at(-60_000),
    updated_at: at(-60_000),
  });
  const { commands, chat } = happenings(people, id, began);
  const done = isRunning ? commands.slice(0, -2) : commands;
  let control = NO_CONTROL;
  const log = done.map(([ms, command], n) => {
    const before = control;
    control = applyCommand(control, command);
    return {
      id: randomUUID(),
      tenant_id: tenantId,
      conference_id: conferenceId,
      version: control.version,
      verb: command.verb,
      command: JSON.stringify(command),
      commander: JSON.stringify({ kind: 'user', id: people.host.accountId, name: people.host.name }),
      changes: JSON.stringify(controlChanges(before, control)),
      affected: [],
      push_version: n + 1,
      created_at: at(ms),
    };
  });
  await insert(run, 'conference', {
    id: conferenceId,
    tenant_id: tenantId,
    meeting_id: meetId,
    type: 'NETWORK_MEETING',
    started_at: at(-4_000),
    ended_at: isRunning ? null : at(12_500),
    end_reason: isRunning ? null : 'ended',
    control: JSON.stringify(control),
    peak_terminals: 3,
  });
  for (const row of log) await insert(run, 'conference_command', row);
  const arrivals = { host: -3_000, second: -2_000, guest: 2_000 };
  for (const [name, ms] of Object.entries(arrivals)) {
    const { termId, accountId, name: shown, role } = people[name as keyof typeof arrivals];
    await insert(run, 'terminal_session', {
      term_id: termId,
      tenant_id: tenantId,
      conference_id: conferenceId,
      meeting_id: meetId,
      account_id: accountId,
      token_hash: randomUUID(),
      name: shown,
      role,
      state: isRunning ? 'admitted' : 'left',
      device_type: 5,
      origin: '',
      created_at: at(ms),
      admitted_at: at(ms),
      first_inside_at: at(ms),
      left_at: isRunning ? null : at(12_500),
      last_seen_at: at(ms),
    });
  }
  for (const [ms, sender, text, receiver] of chat)
    await insert(run, 'chat_message', {
      conference_id: conferenceId,
      id: randomUUID(),
      tenant_id: tenantId,
      term_id: sender.termId,
      name: sender.name,
      text,
      sent_at: at(ms),
      to_term_id: receiver?.termId ?? null,
      to_name: receiver?.name ?? null,
    });
}

/**
 * Puts a recording of twelve seconds with everything it belongs to into the database and the storage of a running
 * server: the host is seen for four seconds, then the second person; there are captions, a vote, a roll call and chat.
 */
export async function storeRecording(
  { folder, databaseUrl }: ServerData,
  {
    host: hostName = 'alice',
    second: secondName = 'bob',
    subject = 'Ward round',
    startedAt: began = new Date(Date.now() - 3_600_000),
    agenda = 'Admissions\nDischarges',
    withTracks = true,
    isRunning = false,
    gaps = [],
    cards = [],
    isSearchable = !isRunning,
  }: StoredOptions = {},
): Promise<StoredRecording> {
  const ids = { id: randomUUID(), meetId: randomUUID(), conferenceId: randomUUID() };
  let result: StoredRecording | undefined;
  await connected(databaseUrl, async (client) => {
    const run: Run = async (text, values) => (await client.query(text, [...values])).rows as Record<string, unknown>[];
    const [hostAccount, secondAccount] = [await accountOf(run, hostName), await accountOf(run, secondName)];
    const tenantId = hostAccount.tenant_id;
    const people = {
      host: { termId: newTermId(), accountId: hostAccount.id, name: hostAccount.name, role: 'host' as const },
      second: { termId: newTermId(), accountId: secondAccount.id, name: secondAccount.name, role: 'member' as const },
      guest: { termId: newTermId(), accountId: null, name: 'Grace', role: 'guest' as const },
    };
    await storeConference(run, { ...ids, tenantId }, people, { began, subject, agenda, isRunning });
    const tracks = await tracksOf(people.host, people.second, withTracks);
    const index: RecordingIndex = {
      version: 1,
      startsAt: began.getTime(),
      isComplete: !isRunning,
      tracks: tracks.map(([track]) => track),
      onAir: [
        { at: 0, picture: { termId: people.host.termId, kind: 'camera' } },
        { at: 4_000, picture: { termId: people.second.termId, kind: 'camera' } },
      ],
      speaking: [
        { termId: people.host.termId, from: 0, to: 3_500 },
        { termId: people.second.termId, from: 4_000, to: 9_000 },
      ],
      gaps,
      cards: cards.map((card) => ({ ...card, termId: people.second.termId })),
    };
    const write = (key: string, data: Buffer | string): void => {
      const path = join(folder, 'files', key);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, data);
    };
    for (const [{ id: track }, { files }] of tracks)
      for (const [name, data] of files) write(`${recordingKeys.folder(ids.id)}/${track}/${name}`, data);
    write(recordingKeys.index(ids.id), JSON.stringify(index));
    await insert(run, 'recording', {
      id: ids.id,
      tenant_id: tenantId,
      meeting_id: ids.meetId,
      conference_id: ids.conferenceId,
      host_id: hostAccount.id,
      subject,
      state: isRunning ? 'recording' : 'ready',
      wish: isRunning ? 'record' : 'stop',
      with_tracks: withTracks,
      started_at: began,
      ended_at: isRunning ? null : new Date(began.getTime() + STORED_SECONDS * 1_000),
      duration: STORED_SECONDS * 1_000,
      bytes: index.tracks.flatMap(({ segments }) => segments).reduce((sum, { bytes }) => sum + bytes, 0),
      download: true,
      watermark: false,
      texts_at: isSearchable ? began : null,
      // No recorder takes it.
      lease_holder: isRunning ? randomUUID() : null,
      lease_until: isRunning ? new Date(Date.now() + 86_400_000) : null,
    });
    const { host, second, guest } = people;
    const texts = [
      ...[host, second, guest].map(({ name }) => ({ found_in: 'person', text: name, at: null })),
      { found_in: 'chat', text: 'The results are in', at: 3_000 },
      { found_in: 'chat', text: 'Thank you all', at: 9_000 },
      { found_in: 'caption', text: 'Admissions of Monday', at: 6_000 },
    ];
    for (const { found_in, text, at } of isSearchable ? texts : [])
      await insert(run, 'recording_text', {
        id: randomUUID(),
        tenant_id: tenantId,
        recording_id: ids.id,
        found_in,
        text,
        at,
      });
    result = { ...ids, tenantId, host: host.termId, second: second.termId, guest: guest.termId, index };
  });
  return result!;
}
