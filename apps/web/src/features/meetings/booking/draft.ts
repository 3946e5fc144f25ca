import { CONFERENCE_TEMPLATES, type ConferenceTemplateId } from '@rmeet/conference';
import {
  LIMITS,
  type Meeting,
  type MeetingBody,
  type MeetingFile,
  type Participant,
  PHONE_PATTERN,
} from '@rmeet/contract';
import { lacksPassword, newSetting, type SettingDraft } from '../../../ui/broadcast/setting.ts';
import { changedKeys, rebase as rebaseOn } from '../../../lib/rebase.ts';
import { ownZone } from '../../../lib/rooms/index.ts';
import { ruleOf, type Repeat } from '../series/rule.ts';
import type { BookableType } from '../types.ts';

export type Terminal = Meeting['terminals'][number];

/** A participant called by telephone, as typed. */
export interface PhoneParty {
  name: string;
  phone: string;
}

/** A participant who is not called by telephone: a colleague or an external mail address. */
export type Invited = Exclude<Participant, { kind: 'phone' }>;

/** A meeting in the form. */
export interface Draft {
  type: BookableType;
  subject: string;
  /** ISO time; null if date or time is missing. */
  startTime: string | null;
  /** Minutes; null if the field is empty. */
  duration: number | null;
  /** IANA name of the time zone in which the form is read. */
  timeZone: string;
  /** Null: the meeting does not recur, or a meeting of a series keeps its rule. */
  repeat: Repeat | null;
  roomIds: readonly string[];
  terminals: readonly Terminal[];
  participants: readonly Invited[];
  phones: readonly PhoneParty[];
  /** The meeting's existing files to keep. */
  files: readonly MeetingFile[];
  template: ConferenceTemplateId;
  password: string;
  waitingRoom: boolean;
  joinBeforeHost: boolean;
  muteOnEntry: boolean;
  e2ee: boolean;
  /** The recording starts with the first person who comes in. */
  autoRecord: boolean;
  vip: boolean;
  resource: Meeting['resource'];
  agenda: string;
  /** How the broadcast of a new live meeting can be watched; that of a booked one is changed in the list of them. */
  live: SettingDraft;
}

/** Values chosen before the form opened, for example on the rooms board. */
export type Preset = Partial<Pick<Draft, 'startTime' | 'duration' | 'roomIds'>>;

export type DraftField = keyof Draft;

const MINUTE = 60_000;
const DEFAULT_STEP = 15 * MINUTE;
const DEFAULT_DURATION = 60;

/** Six random digits. */
export function newPassword(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return String(random % 1_000_000).padStart(6, '0');
}

/**
 * The initial form: start at the next quarter of an hour, duration one hour, a new password; preset values replace
 * these.
 */
export function newDraft(now: Date, type: BookableType, preset: Preset = {}): Draft {
  const next = Math.ceil((now.getTime() + MINUTE) / DEFAULT_STEP) * DEFAULT_STEP;
  return {
    type,
    subject: '',
    startTime: new Date(next).toISOString(),
    duration: DEFAULT_DURATION,
    timeZone: ownZone(),
    repeat: null,
    roomIds: [],
    terminals: [],
    participants: [],
    phones: [],
    files: [],
    ...entryOf('standard'),
    password: newPassword(),
    e2ee: false,
    autoRecord: false,
    vip: false,
    resource: null,
    agenda: '',
    live: newSetting(),
    ...preset,
  };
}

/** The entry rules of a template. */
export function entryOf(
  template: ConferenceTemplateId,
): Pick<Draft, 'template' | 'waitingRoom' | 'joinBeforeHost' | 'muteOnEntry'> {
  const { waitingRoom, joinBeforeHost, muteOnEntry } =
    CONFERENCE_TEMPLATES.find(({ id }) => id === template) ?? CONFERENCE_TEMPLATES[0];
  return { template, waitingRoom, joinBeforeHost, muteOnEntry };
}

export function draftOf(meeting: Meeting): Draft {
  const {
    subject,
    startTime,
    duration,
    timeZone,
    terminals,
    files,
    template,
    password,
    waitingRoom,
    joinBeforeHost,
    muteOnEntry,
    e2ee,
    autoRecord,
    vip,
    agenda,
  } = meeting;
  return {
    type: meeting.type,
    subject,
    startTime,
    duration,
    timeZone,
    repeat: null,
    terminals,
    files,
    template,
    password,
    waitingRoom,
    joinBeforeHost,
    muteOnEntry,
    e2ee,
    autoRecord,
    vip,
    agenda,
    live: newSetting(),
    roomIds: meeting.rooms.map(({ id }) => id),
    participants: meeting.participants.filter((one) => one.kind !== 'phone'),
    phones: meeting.participants.flatMap((one) => (one.kind === 'phone' ? [{ name: one.name, phone: one.phone }] : [])),
    resource: meeting.resource,
  };
}

/** Whether meetings of a type can be end-to-end encrypted: all their participants use browsers. */
export function isEncryptable(type: Meeting['type']): boolean {
  return type === 'NETWORK_MEETING' || type === 'VIDEO_MEETING';
}

/** Whether meetings of a type can be recorded from their start. */
export function isRecordable(type: Meeting['type']): boolean {
  return type === 'NETWORK_MEETING' || type === 'VIDEO_MEETING';
}

/** Whether a type has a conference, with a password and entry rules. */
export function hasConference(type: Meeting['type']): boolean {
  return type !== 'LOCAL_MEETING';
}

/** Whether it is the broadcast of an outside stream, which people only watch. */
export function isOutsideStream({ type, config }: Pick<Meeting, 'type' | 'config'>): boolean {
  return type === 'LIVE_MEETING' && config.url === '';
}

/** Whether it can be watched, now or later. */
export function isWatched(meeting: Pick<Meeting, 'type' | 'config' | 'status'>): boolean {
  return isOutsideStream(meeting) && meeting.status !== 'OFFLINE';
}

/** Whether a meeting has a conference that people enter, with a number and entry rules. */
export function isEntered(meeting: Pick<Meeting, 'type' | 'config'>): boolean {
  return hasConference(meeting.type) && !isOutsideStream(meeting);
}

/** The typed telephone participants; empty rows are left out. */
export function typedPhones({ phones }: Pick<Draft, 'phones'>): PhoneParty[] {
  return phones
    .map(({ name, phone }) => ({ name: name.trim(), phone: phone.trim() }))
    .filter(({ name, phone }) => name !== '' || phone !== '');
}

/** The request body of a draft without faults ({@link faultsOf}). Fields that do not apply to its type are left out. */
export function bodyOf(draft: Draft): MeetingBody {
  const {
    type,
    subject,
    startTime,
    duration,
    timeZone,
    participants,
    roomIds,
    terminals,
    template,
    password,
    waitingRoom,
    joinBeforeHost,
    muteOnEntry,
    e2ee,
    autoRecord,
    vip,
    resource,
    agenda,
  } = draft;
  if (startTime === null || duration === null) throw new Error('The draft is not complete.');
  const invited = participants.map((one) => (one.kind === 'user' ? { kind: one.kind, userId: one.userId } : one));
  const common = { subject: subject.trim(), startTime, duration, timeZone, vip, roomIds: [...roomIds], agenda };
  if (!hasConference(type)) return { ...common, participants: invited };
  return {
    ...common,
    participants: [
      ...invited,
      ...typedPhones(draft).map(({ name, phone }) => ({ kind: 'phone' as const, name, phone })),
    ],
    terminalIds: type === 'VIDEO_MEETING' ? terminals.map(({ id }) => id) : [],
    template,
    password,
    waitingRoom,
    joinBeforeHost,
    muteOnEntry,
    e2ee: e2ee && isEncryptable(type),
    autoRecord: autoRecord && isRecordable(type),
    resourceId: resource?.id ?? null,
  };
}

/** Key of a message in `meetings:invalid`, with its parameters. */
interface Fault {
  key:
    | 'subject'
    | 'subjectLong'
    | 'date'
    | 'past'
    | 'duration'
    | 'password'
    | 'guests'
    | 'participants'
    | 'rooms'
    | 'agenda'
    | 'terminals'
    | 'phone'
    | 'phoneTwice'
    | 'phoneMissing'
    | 'roomMissing'
    | 'repeat'
    | 'until'
    | 'e2ee'
    | 'e2eeRecorded'
    | 'livePassword';
  values?: { min?: number; max: number };
}

export type Faults = Partial<Record<DraftField, Fault>>;

/** How far in the past a start may be, as on the server. */
const START_TOLERANCE = 5 * MINUTE;

/**
 * The errors of a draft, by field. `before` is the start of the edited meeting: if unchanged, it may be in the past.
 */
export function faultsOf(draft: Draft, now: Date, before?: string): Faults {
  return {
    ...timeFaults(draft, now, before),
    ...subjectFaults(draft),
    ...peopleFaults(draft),
    ...(hasConference(draft.type) ? entryFaults(draft) : {}),
    ...encryptionFaults(draft),
    ...liveFaults(draft, before !== undefined),
  };
}

function subjectFaults({ subject, agenda }: Draft): Faults {
  const faults: Faults = {};
  if (subject.trim() === '') faults.subject = { key: 'subject' };
  else if (subject.trim().length > LIMITS.subject)
    faults.subject = { key: 'subjectLong', values: { max: LIMITS.subject } };
  if (agenda.length > LIMITS.agenda) faults.agenda = { key: 'agenda', values: { max: LIMITS.agenda } };
  return faults;
}

function timeFaults({ startTime, duration, repeat, timeZone }: Draft, now: Date, before: string | undefined): Faults {
  const faults: Faults = {};
  if (startTime === null) faults.startTime = { key: 'date' };
  else if (startTime !== before && Date.parse(startTime) < now.getTime() - START_TOLERANCE)
    faults.startTime = { key: 'past' };

  const { durationMin, durationMax } = LIMITS;
  if (duration === null || duration < durationMin || duration > durationMax)
    faults.duration = { key: 'duration', values: { min: durationMin, max: durationMax } };
  return { ...faults, ...(repeat && startTime !== null ? repeatFaults(repeat, startTime, timeZone) : {}) };
}

function repeatFaults(repeat: Repeat, startTime: string, timeZone: string): Faults {
  const { occurrences } = LIMITS;
  const rule = ruleOf(repeat, startTime, timeZone);
  if (repeat.end === 'until' && (!rule?.until || rule.until < startTime)) return { repeat: { key: 'until' } };
  if (!rule || (rule.count ?? 1) > occurrences)
    return { repeat: { key: 'repeat', values: { min: 1, max: occurrences } } };
  return {};
}

function peopleFaults(draft: Draft): Faults {
  const faults: Faults = {};
  const phones = typedPhones(draft);
  if (draft.participants.length + phones.length > LIMITS.participants)
    faults.participants = { key: 'participants', values: { max: LIMITS.participants } };
  if (draft.roomIds.length > LIMITS.rooms) faults.roomIds = { key: 'rooms', values: { max: LIMITS.rooms } };
  else if (draft.roomIds.length === 0 && draft.type === 'LOCAL_MEETING') faults.roomIds = { key: 'roomMissing' };
  if (draft.terminals.length > LIMITS.terminals)
    faults.terminals = { key: 'terminals', values: { max: LIMITS.terminals } };
  if (draft.type === 'PHONE_MEETING' && phones.length === 0) faults.phones = { key: 'phoneMissing' };
  else if (hasConference(draft.type) && phones.some((party) => !isPhone(party))) faults.phones = { key: 'phone' };
  else if (new Set(phones.map(({ phone }) => phone.replace(/[\s-]/g, ''))).size < phones.length)
    faults.phones = { key: 'phoneTwice' };
  return faults;
}

/** Whether the number can be called. */
export function isPhone({ phone }: PhoneParty): boolean {
  return PHONE_PATTERN.test(phone.trim());
}

/** Room terminals, telephones and recorders cannot decrypt. */
function encryptionFaults(draft: Draft): Faults {
  const { e2ee, type, terminals, autoRecord } = draft;
  if (!e2ee || !isEncryptable(type)) return {};
  if (autoRecord) return { e2ee: { key: 'e2eeRecorded' } };
  const hasDevices = typedPhones(draft).length > 0 || (type === 'VIDEO_MEETING' && terminals.length > 0);
  return hasDevices ? { e2ee: { key: 'e2ee' } } : {};
}

/** The broadcast of a booked meeting is not in the form. */
function liveFaults({ type, live }: Draft, isBooked: boolean): Faults {
  return type === 'LIVE_MEETING' && !isBooked && lacksPassword(live, false) ? { live: { key: 'livePassword' } } : {};
}

function entryFaults({ password, waitingRoom }: Draft): Faults {
  const { min, max } = LIMITS.meetingPassword;
  if (password === '') return waitingRoom ? {} : { password: { key: 'guests' } };
  const isRight = /^[0-9A-Za-z]+$/.test(password) && password.length >= min && password.length <= max;
  return isRight ? {} : { password: { key: 'password', values: { min, max } } };
}

/** A unique key per person or address, for comparison and as list key. */
export function participantKey(one: Participant): string {
  if (one.kind === 'user') return `user:${one.userId}`;
  return one.kind === 'mail' ? `mail:${one.email.toLowerCase()}` : `phone:${one.phone}`;
}

/** Lists are compared by content, regardless of order. */
const COMPARED: Partial<Record<DraftField, (draft: Draft) => readonly string[]>> = {
  participants: ({ participants }) => participants.map(participantKey).toSorted(),
  phones: (draft) =>
    typedPhones(draft)
      .map(({ phone, name }) => `${phone} ${name}`)
      .toSorted(),
  roomIds: ({ roomIds }) => roomIds.toSorted(),
  terminals: ({ terminals }) => terminals.map(({ id }) => id).toSorted(),
  live: ({ live }) => [JSON.stringify(live)],
  files: ({ files }) => files.map(({ id }) => id).toSorted(),
};

/** The comparable form of a field's value. */
export const comparedOf = (draft: Draft, field: DraftField): unknown => COMPARED[field]?.(draft) ?? draft[field];

/** The fields in which two drafts differ. */
export function changedFields(a: Draft, b: Draft): DraftField[] {
  return changedKeys(a, b, comparedOf);
}

/** {@link rebaseOn} with the comparison of meeting fields. */
export function rebase(base: Draft, mine: Draft, newest: Draft): { draft: Draft; theirs: DraftField[] } {
  return rebaseOn(base, mine, newest, comparedOf);
}
