import { describe, expect, test } from 'vitest';
import type { ConferenceCommand } from '../src/index.ts';
import { depart, laidOut, polls, seated, speaks, turnOf } from './game.ts';
import { crowd, layout, PEOPLE, seatsOf, shape, type Case } from './pictures.ts';

const poll = (turn: string, next: string | null = null): ConferenceCommand[] => [polls(), turnOf(turn, next)];
const lecture = (lecturer: string, turn: string, next: string | null = null): ConferenceCommand[] => [
  polls({}, lecturer),
  turnOf(turn, next),
];
const inSeat = (seat: number, ...more: ConferenceCommand[]): ConferenceCommand[] => [laidOut('4', seat), ...more];
const PHONE = { width: 390, height: 760, phone: true };

describe('turns on air', () => {
  test.each<[string, Case, string]>([
    [
      'the terminal in turn, even if another speaks',
      { commands: poll('bob'), speakers: ['carol'] },
      'bob | chair alice carol',
    ],
    [
      'the terminal in turn, whatever is pinned',
      { commands: poll('bob'), pinned: ['carol'], me: 'alice' },
      'bob | alice chair carol',
    ],
    ['the others, as the terminal in turn sees it', { commands: poll('bob'), me: 'bob' }, 'bob chair alice carol'],
    ['the speaker, before the first turn', { commands: [polls()], speakers: ['carol'] }, 'carol | chair alice bob'],
    [
      'the speaker, while no terminal can have a turn',
      { commands: [polls(), turnOf(null, null)], speakers: ['carol'] },
      'carol | chair alice bob',
    ],
    [
      'the terminal in turn while the engine still has it, although it has left',
      { commands: [...poll('bob'), depart('bob')], terminals: PEOPLE, speakers: ['carol'] },
      'bob | chair alice carol',
    ],
    [
      'content, with the terminal in turn beside it',
      { commands: poll('bob'), sharing: ['carol'] },
      'carol-screen | bob chair alice carol',
    ],
  ])('%s', (_, input, expected) => expect(shape(input)).toBe(expected));

  test('follow the engine: an absent terminal has no turn on the screen', () => {
    expect(layout({ commands: poll('bob'), terminals: PEOPLE }).onAirId).toBe('bob');
    const { onAirId } = layout({
      commands: [
        ...['bob', ...PEOPLE.filter((id) => id !== 'bob')].map((termId): ConferenceCommand => ({
          verb: 'arrive',
          termId,
          name: termId,
          role: 'member',
          previousTermId: null,
        })),
        ...poll('bob'),
      ],
      terminals: ['chair', 'alice'],
      speakers: ['alice'],
    });
    expect(onAirId).toBe('alice');
  });

  test.each<[string, Case, string]>([
    [
      'in the first seat without an assigned terminal',
      { commands: [laidOut('4'), seated([{ seat: 1, source: 'chair' }]), ...poll('carol')] },
      '1: chair, 2: carol, 3: alice, 4: bob',
    ],
    [
      'in the assigned seat of the terminal',
      { commands: [laidOut('4'), seated([{ seat: 3, source: 'alice' }]), ...poll('alice')] },
      '1: chair, 2: bob, 3: alice, 4: carol',
    ],
    [
      'in the seat of the terminal on air',
      { commands: [laidOut('4'), seated([{ seat: 4, source: 'SPEAKER' }]), ...poll('alice')] },
      '1: chair, 2: bob, 3: carol, 4: alice',
    ],
  ])('in a layout of seats: %s', (_, input, expected) => expect(seatsOf(input)).toBe(expected));
});

describe('a lecture', () => {
  test.each<[string, Case, string]>([
    [
      'the lecturer, as all others see it',
      { commands: lecture('alice', 'bob'), me: 'carol', speakers: ['bob'] },
      'alice | carol chair bob',
    ],
    [
      'the lecturer, as the terminal in turn sees it',
      { commands: lecture('alice', 'bob'), me: 'bob' },
      'alice | bob chair carol',
    ],
    ['the lecturer, as an onlooker sees it', { commands: lecture('alice', 'bob') }, 'alice | chair bob carol'],
    [
      'the terminal in turn, as the lecturer sees it',
      { commands: lecture('alice', 'bob'), me: 'alice' },
      'bob | alice chair carol',
    ],
    [
      'the terminal in turn, as a sharing lecturer sees it',
      { commands: lecture('alice', 'bob'), me: 'alice', sharing: ['alice'] },
      'bob | alice alice-screen chair carol',
    ],
    [
      'content of another, then the terminal in turn, as the lecturer sees it',
      { commands: lecture('alice', 'bob'), me: 'alice', sharing: ['carol'] },
      'carol-screen | bob alice chair carol',
    ],
    [
      'content of the lecturer, then the lecturer, as the others see it',
      { commands: lecture('alice', 'bob'), me: 'carol', sharing: ['alice'] },
      'alice-screen | alice carol chair bob',
    ],
  ])('%s', (_, input, expected) => expect(shape(input)).toBe(expected));

  test.each<[string, Case, string]>([
    ['the lecturer first', { commands: [laidOut('2'), ...lecture('carol', 'bob')], me: 'alice' }, '1: carol, 2: chair'],
    [
      'the terminal in turn first, as the lecturer sees it',
      { commands: [laidOut('2'), ...lecture('carol', 'bob')], me: 'carol' },
      '1: bob, 2: chair',
    ],
    [
      'the terminal in turn in the seat of SPEAKER, as the lecturer sees it',
      { commands: [laidOut('2'), seated([{ seat: 2, source: 'SPEAKER' }]), ...lecture('carol', 'bob')], me: 'carol' },
      '1: chair, 2: bob',
    ],
    [
      'the lecturer in the seat of SPEAKER',
      { commands: [laidOut('2'), seated([{ seat: 2, source: 'SPEAKER' }]), ...lecture('carol', 'bob')], me: 'bob' },
      '1: chair, 2: carol',
    ],
  ])('in a layout of seats: %s', (_, input, expected) => expect(seatsOf(input)).toBe(expected));

  test('has the lecturer on air for every viewer', () => {
    for (const me of [null, ...PEOPLE]) expect(layout({ commands: lecture('alice', 'bob'), me }).onAirId).toBe('alice');
  });
});

describe('the next turn', () => {
  const warm = (input: Case): string =>
    layout(input)
      .warm.map(({ key, ask }) => `${key}@${ask}`)
      .join(' ');
  test.each<[string, Case, string]>([
    ['is received in the size of the stage', { commands: poll('bob', 'carol'), me: 'alice' }, 'carol@720'],
    ['is received by an onlooker, too', { commands: poll('bob', 'carol') }, 'carol@720'],
    [
      'is received by the terminal in turn, which sees the round from the next turn on',
      { commands: poll('bob', 'carol'), me: 'bob' },
      'carol@720',
    ],
    ['is not received by that terminal itself', { commands: poll('bob', 'carol'), me: 'carol' }, ''],
    ['is missing if no terminal follows', { commands: poll('bob'), me: 'alice' }, ''],
    ['is missing once the next terminal has left', { commands: poll('bob', 'gone'), me: 'alice' }, ''],
    ['is missing without polling', { commands: [speaks('bob')], me: 'alice' }, ''],
    ['is small beside content', { commands: poll('bob', 'carol'), me: 'alice', sharing: ['chair'] }, 'carol@180'],
    ['is as large as the polling seat', { commands: inSeat(2, ...poll('bob', 'carol')), me: 'alice' }, 'carol@360'],
    [
      'is as large as a small polling seat',
      { commands: [laidOut('25', 7), ...poll('bob', 'carol')], me: 'alice' },
      'carol@180',
    ],
    [
      'is received before the first turn is visible in its seat',
      { commands: inSeat(2, polls(), turnOf(null, 'carol')), me: 'alice' },
      'carol@360',
    ],
    [
      'is as large as an automatically filled seat',
      { commands: [laidOut('6'), ...poll('bob', 'carol')], me: 'alice' },
      'carol@720',
    ],
    [
      'is as large as the seat of SPEAKER',
      { commands: [laidOut('6'), seated([{ seat: 2, source: 'SPEAKER' }]), ...poll('bob', 'carol')], me: 'alice' },
      'carol@360',
    ],
    ['is received by the lecturer', { commands: lecture('alice', 'bob', 'carol'), me: 'alice' }, 'carol@720'],
    [
      'is received by the lecturer in a layout of seats',
      { commands: [laidOut('6'), ...lecture('alice', 'bob', 'carol')], me: 'alice' },
      'carol@720',
    ],
    ['is not received by those who see the lecturer', { commands: lecture('alice', 'bob', 'carol'), me: 'chair' }, ''],
    [
      'is not received by those who see the lecturer in a layout of seats',
      { commands: [laidOut('4'), ...lecture('alice', 'bob', 'carol')], me: 'chair' },
      '',
    ],
    [
      'is not received in a layout without the polling seat',
      {
        commands: [
          ...inSeat(2, speaks('chair'), ...poll('bob', 'carol')),
          { verb: 'terminalLayout', termId: 'alice', layout: { model: '9', places: [], seats: [] } },
        ],
        me: 'alice',
      },
      '',
    ],
    [
      'is as fine as a phone’s stage',
      { commands: poll('bob', 'carol'), me: 'alice', screen: { ...PHONE, density: 3 } },
      'carol@720',
    ],
  ])('%s', (_, input, expected) => expect(warm(input)).toBe(expected));

  // oxlint-disable-next-line complexity -- one loop for each dimension, optional values compared
  test('is requested in its later size and place, in every layout, on every screen', () => {
    for (const screen of [{ width: 1_600, height: 900 }, { width: 900, height: 900 }, PHONE]) {
      for (const model of ['AUTO', '1', '2', '3', '4', '6', '8', '9', '13', '16', '25', '1+N', 'PIP'] as const) {
        for (const me of [null, 't5', 't1']) {
          for (const before of [[laidOut(model)], ...(model === 'AUTO' ? [] : [[laidOut(model, 1)]])]) {
            const input: Case = { terminals: crowd(30), me, screen };
            const [picture] = layout({ ...input, commands: [...before, ...poll('t1', 't20')] }).warm;
            const { cells } = layout({ ...input, commands: [...before, ...poll('t20', 't21')] });
            const seen = cells.find(({ key }) => key === 't20');
            const why = JSON.stringify({ screen, model, me, before });
            expect([picture?.ask, picture?.x, picture?.y, picture?.width, picture?.height], why).toEqual([
              seen?.ask,
              seen?.x,
              seen?.y,
              seen?.width,
              seen?.height,
            ]);
          }
        }
      }
    }
  });
});
