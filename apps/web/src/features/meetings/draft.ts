import { LIMITS, type Meeting, type MeetingBody, type Participant } from '@rmeet/contract';

/** A meeting as it stands in the form. */
export interface Draft {
  subject: string;
  /** ISO time; null while date or time is missing. */
  startTime: string | null;
  /** Minutes; null while empty. */
  duration: number | null;
  password: string;
  waitingRoom: boolean;
  participants: readonly Participant[];
  roomIds: readonly string[];
  agenda: string;
}

/** What was chosen before the form opened, as on the board of rooms. */
export type Preset = Partial<Pick<Draft, 'startTime' | 'duration' | 'roomIds'>>;

export type DraftField = keyof Draft;
const FIELDS: readonly DraftField[] = ['subject', 'startTime', 'duration', 'password', 'waitingRoom', 'participants', 'roomIds', 'agenda'];

const MINUTE = 60_000;
const DEFAULT_STEP = 15 * MINUTE;
const DEFAULT_DURATION = 60;

/** Six random digits. */
export function newPassword(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return String(random % 1_000_000).padStart(6, '0');
}

/** What an empty form starts with: the next quarter of an hour, one hour, a fresh password; or what was chosen elsewhere. */
export function newDraft(now: Date, preset: Preset = {}): Draft {
  const next = Math.ceil((now.getTime() + MINUTE) / DEFAULT_STEP) * DEFAULT_STEP;
  return {
    subject: '',
    startTime: new Date(next).toISOString(),
    duration: DEFAULT_DURATION,
    password: newPassword(),
    waitingRoom: false,
    participants: [],
    roomIds: [],
    agenda: '',
    ...preset,
  };
}

export function draftOf({ subject, startTime, duration, password, waitingRoom, participants, rooms, agenda }: Meeting): Draft {
  return { subject, startTime, duration, password, waitingRoom, participants, roomIds: rooms.map(({ id }) => id), agenda };
}

/** What is sent of a draft that {@link faultsOf} finds nothing wrong with. */
export function bodyOf({ subject, startTime, duration, password, waitingRoom, participants, roomIds, agenda }: Draft): MeetingBody {
  if (startTime === null || duration === null) throw new Error('The draft is not complete.');
  return {
    subject: subject.trim(),
    startTime,
    duration,
    password,
    waitingRoom,
    participants: participants.map((one) => (one.kind === 'user' ? { kind: 'user', userId: one.userId } : one)),
    roomIds: [...roomIds],
    agenda,
  };
}

/** Key of a sentence in `meetings:invalid`, with what it names. */
interface Fault {
  key: 'subject' | 'subjectLong' | 'date' | 'past' | 'duration' | 'password' | 'guests' | 'participants' | 'rooms' | 'agenda';
  values?: { min?: number; max: number };
}

export type Faults = Partial<Record<DraftField, Fault>>;

/** How far in the past a start may lie, as the server has it. */
const START_TOLERANCE = 5 * MINUTE;

/** What is wrong with a draft, by field. `before` is the start of the meeting being edited: left alone, it may have passed. */
export function faultsOf(draft: Draft, now: Date, before?: string): Faults {
  const { min, max } = LIMITS.meetingPassword;
  const faults: Faults = {};
  const subject = draft.subject.trim();
  if (subject === '') faults.subject = { key: 'subject' };
  else if (subject.length > LIMITS.subject) faults.subject = { key: 'subjectLong', values: { max: LIMITS.subject } };

  if (draft.startTime === null) faults.startTime = { key: 'date' };
  else if (draft.startTime !== before && Date.parse(draft.startTime) < now.getTime() - START_TOLERANCE) faults.startTime = { key: 'past' };

  const { durationMin, durationMax } = LIMITS;
  if (draft.duration === null || draft.duration < durationMin || draft.duration > durationMax) {
    faults.duration = { key: 'duration', values: { min: durationMin, max: durationMax } };
  }
  if (draft.password === '') {
    if (!draft.waitingRoom) faults.password = { key: 'guests' };
  } else if (!/^[0-9A-Za-z]+$/.test(draft.password) || draft.password.length < min || draft.password.length > max) {
    faults.password = { key: 'password', values: { min, max } };
  }
  if (draft.participants.length > LIMITS.participants) faults.participants = { key: 'participants', values: { max: LIMITS.participants } };
  if (draft.roomIds.length > LIMITS.rooms) faults.roomIds = { key: 'rooms', values: { max: LIMITS.rooms } };
  if (draft.agenda.length > LIMITS.agenda) faults.agenda = { key: 'agenda', values: { max: LIMITS.agenda } };
  return faults;
}

/** One name per person or address, to compare and to key lists by. */
export function participantKey(one: Participant): string {
  if (one.kind === 'user') return `user:${one.userId}`;
  return one.kind === 'mail' ? `mail:${one.email.toLowerCase()}` : `phone:${one.phone}`;
}

function same(a: Draft, b: Draft, field: DraftField): boolean {
  if (field !== 'participants' && field !== 'roomIds') return a[field] === b[field];
  const keys = (draft: Draft) => (field === 'roomIds' ? [...draft.roomIds] : draft.participants.map(participantKey)).sort().join();
  return keys(a) === keys(b);
}

/** The fields in which two drafts differ. */
export function changedFields(a: Draft, b: Draft): DraftField[] {
  return FIELDS.filter((field) => !same(a, b, field));
}

/**
 * After somebody else's edit: what was typed here (differs from `base`) stays, every other field takes the newest value.
 * `theirs` lists the fields the other edit changed.
 */
export function rebase(base: Draft, mine: Draft, newest: Draft): { draft: Draft; theirs: DraftField[] } {
  const typed = new Set(changedFields(base, mine));
  const kept = Object.fromEntries(FIELDS.filter((field) => typed.has(field)).map((field) => [field, mine[field]]));
  return { draft: { ...newest, ...kept }, theirs: changedFields(base, newest) };
}
