import { describe, expect, test } from 'vitest';
import {
  applyCommand,
  DEFAULT_POLLING,
  NO_CONTROL,
  programmeOf,
  type ConferenceCommand,
  type ConferenceControl,
} from '../src/index.ts';

const PEOPLE = ['chair', 'alice', 'bob', 'carol'];
const arrived = PEOPLE.map((termId): ConferenceCommand => ({
  verb: 'arrive',
  termId,
  name: termId,
  role: termId === 'chair' ? 'host' : 'member',
  previousTermId: null,
}));
const after = (commands: readonly ConferenceCommand[]): ConferenceControl =>
  [...arrived, ...commands].reduce(applyCommand, NO_CONTROL);

const at = '2026-11-23T09:00:00.000Z';
const speaker = (termId: string): ConferenceCommand => ({ verb: 'speaker', termId });
const equal: ConferenceCommand = { verb: 'mode', mode: 'EQUAL', termId: null };
const poll: ConferenceCommand = { verb: 'polling', settings: { ...DEFAULT_POLLING }, lectureId: null, at };
const lecture: ConferenceCommand = { verb: 'polling', settings: { ...DEFAULT_POLLING }, lectureId: 'bob', at };
const turn = (termId: string | null): ConferenceCommand => ({
  verb: 'pollingTurn',
  termId,
  next: 'carol',
  at,
  switchAt: null,
});

interface Row {
  what: string;
  commands?: readonly ConferenceCommand[];
  lock?: string;
  sharing?: readonly string[];
  speakers?: readonly string[];
  away?: readonly string[];
  onAir: string | null;
}

const rows: Row[] = [
  { what: 'before anyone has spoken: the chair', onAir: 'chair' },
  { what: 'before anyone has spoken, without the chair: nothing', away: ['chair'], onAir: null },
  { what: 'the active speaker', speakers: ['alice', 'bob'], onAir: 'alice' },
  {
    what: 'the earlier speaker, when the active one has left',
    speakers: ['alice', 'bob'],
    away: ['alice'],
    onAir: 'bob',
  },
  { what: 'the active speaker in EQUAL', commands: [equal], speakers: ['carol'], onAir: 'carol' },
  { what: 'the named speaker, even if another speaks', commands: [speaker('bob')], speakers: ['alice'], onAir: 'bob' },
  {
    what: 'an absent named speaker: the active speaker',
    commands: [speaker('bob')],
    speakers: ['alice'],
    away: ['bob'],
    onAir: 'alice',
  },
  { what: 'content before the active speaker', sharing: ['carol'], speakers: ['alice'], onAir: 'carol-screen' },
  { what: 'the later of two contents', sharing: ['carol', 'alice'], onAir: 'alice-screen' },
  { what: 'of two contents the locked one', sharing: ['carol', 'alice'], lock: 'carol', onAir: 'carol-screen' },
  {
    what: 'no content while it is locked to a terminal that does not share',
    sharing: ['alice'],
    lock: 'carol',
    speakers: ['bob'],
    onAir: 'bob',
  },
  {
    what: 'content of a departed terminal: the active speaker',
    sharing: ['alice'],
    away: ['alice'],
    speakers: ['bob'],
    onAir: 'bob',
  },
  { what: 'content in EQUAL', commands: [equal], sharing: ['alice'], speakers: ['bob'], onAir: 'alice-screen' },
  { what: 'the named speaker before content', commands: [speaker('bob')], sharing: ['alice'], onAir: 'bob' },
  {
    what: 'the named speaker before content locked to another',
    commands: [speaker('bob')],
    sharing: ['alice'],
    lock: 'alice',
    onAir: 'bob',
  },
  { what: 'the named speaker before their own content', commands: [speaker('bob')], sharing: ['bob'], onAir: 'bob' },
  {
    what: 'content of the named speaker if it is locked to them',
    commands: [speaker('bob')],
    sharing: ['bob'],
    lock: 'bob',
    onAir: 'bob-screen',
  },
  { what: 'the terminal in turn', commands: [poll, turn('alice')], speakers: ['bob'], onAir: 'alice' },
  { what: 'the terminal in turn before content', commands: [poll, turn('alice')], sharing: ['bob'], onAir: 'alice' },
  {
    what: 'polling without a turn: content',
    commands: [poll, turn(null)],
    sharing: ['bob'],
    speakers: ['carol'],
    onAir: 'bob-screen',
  },
  {
    what: 'polling without a turn: the active speaker',
    commands: [poll, turn(null)],
    speakers: ['carol'],
    onAir: 'carol',
  },
  {
    what: 'a turn of a departed terminal: the active speaker',
    commands: [poll, turn('alice')],
    away: ['alice'],
    speakers: ['bob'],
    onAir: 'bob',
  },
  {
    what: 'the lecturer, whichever terminal has a turn',
    commands: [lecture, turn('alice')],
    speakers: ['carol'],
    onAir: 'bob',
  },
  {
    what: 'after polling the earlier speaker',
    commands: [speaker('carol'), poll, turn('alice'), { verb: 'polling', settings: null, lectureId: null, at }],
    onAir: 'carol',
  },
];

describe('the programme', () => {
  test.each(rows)('$what', ({ commands = [], lock, sharing = [], speakers = [], away = [], onAir }) => {
    const control = { ...after(commands), ...(lock === undefined ? {} : { contentLockId: lock }) };
    const picture = programmeOf({
      control,
      sharing,
      speakers,
      present: new Set(PEOPLE.filter((termId) => !away.includes(termId))),
    });
    expect(picture && `${picture.termId}${picture.kind === 'screen' ? '-screen' : ''}`).toBe(onAir);
  });
});
