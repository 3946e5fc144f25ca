import { describe, expect, test } from 'vitest';
import { gridIn, type ConferenceCommand } from '../src/index.ts';
import { crowd, DESK, layout, PEOPLE, shape, type Case } from './pictures.ts';

const speaker = (termId: string): ConferenceCommand => ({ verb: 'speaker', termId });
const equal: ConferenceCommand = { verb: 'mode', mode: 'EQUAL', termId: null };
const top = (termId: string): ConferenceCommand => ({ verb: 'top', termId, top: true });

describe('the stage', () => {
  test.each<[string, Case, string]>([
    ['no one has spoken yet: a grid', {}, 'chair alice bob carol'],
    ['AUTO: the active speaker', { speakers: ['bob', 'alice'] }, 'bob | chair alice carol'],
    [
      'AUTO, as the active speaker sees it: the one before',
      { speakers: ['bob', 'alice'], me: 'bob' },
      'alice | bob chair carol',
    ],
    ['AUTO, as the only speaker sees it: a grid', { speakers: ['bob'], me: 'bob' }, 'bob chair alice carol'],
    ['AUTO: a speaker who has left does not count', { speakers: ['gone', 'bob'] }, 'bob | chair alice carol'],
    [
      'SPEAKER: the named one, even if another speaks',
      { commands: [speaker('alice')], speakers: ['bob'] },
      'alice | chair bob carol',
    ],
    [
      'SPEAKER, as the named one sees it: the others',
      { commands: [speaker('alice')], speakers: ['bob'], me: 'alice' },
      'alice chair bob carol',
    ],
    [
      'SPEAKER, as another sees it: the named one',
      { commands: [speaker('alice')], me: 'bob' },
      'alice | bob chair carol',
    ],
    [
      'SPEAKER has priority over a pinned picture',
      { commands: [speaker('alice')], me: 'bob', pinned: ['carol'] },
      'alice | bob chair carol',
    ],
    ['EQUAL: all alike, even if one speaks', { commands: [equal], speakers: ['bob'] }, 'chair alice bob carol'],
    ['content', { sharing: ['carol'] }, 'carol-screen | chair alice bob carol'],
    [
      'the content that began last',
      { sharing: ['carol', 'alice'] },
      'alice-screen | chair alice bob carol carol-screen',
    ],
    [
      'content, with the terminal on air beside it',
      { sharing: ['carol'], speakers: ['bob'] },
      'carol-screen | bob chair alice carol',
    ],
    [
      'content, with the named one beside it',
      { sharing: ['carol'], commands: [speaker('bob')], me: 'alice' },
      'carol-screen | bob alice chair carol',
    ],
    ['content in EQUAL', { sharing: ['carol'], commands: [equal] }, 'carol-screen | chair alice bob carol'],
    ['own content is small', { sharing: ['carol'], me: 'carol' }, 'carol carol-screen chair alice bob'],
    ['a pinned picture', { pinned: ['carol'], speakers: ['bob'], me: 'alice' }, 'carol | alice chair bob'],
    ['a pinned picture that is gone', { pinned: ['dave'], me: 'alice' }, 'alice chair bob carol'],
    ['alone', { terminals: ['chair'], me: 'chair' }, 'chair'],
    ['no terminals', { terminals: [] }, ''],
  ])('%s', (_, input, expected) => expect(shape(input)).toBe(expected));

  test.each<[Case, string | null]>([
    [{}, null],
    [{ speakers: ['bob'] }, 'bob'],
    [{ speakers: ['bob'], commands: [speaker('alice')] }, 'alice'],
    [{ speakers: ['bob'], commands: [equal] }, null],
    [{ sharing: ['carol'], speakers: ['bob'] }, 'bob'],
  ])('on air to all: %j is %s for every viewer', (input, expected) => {
    for (const me of [null, ...PEOPLE]) expect(layout({ ...input, me }).onAirId).toBe(expected);
  });
});

describe('the order', () => {
  test.each<[string, Case, string]>([
    ['with a terminal on top', { commands: [top('bob')] }, 'bob chair alice carol'],
    ['sorted', { commands: [{ verb: 'sort', termIds: ['carol', 'alice'] }] }, 'carol alice chair bob'],
    [
      'with terminals on top before sorted ones',
      { commands: [top('bob'), { verb: 'sort', termIds: ['carol'] }] },
      'bob carol chair alice',
    ],
    ['with the viewer before all', { commands: [top('bob')], me: 'carol' }, 'carol bob chair alice'],
    [
      'with a terminal last that the control does not know yet',
      { terminals: PEOPLE, commands: [{ verb: 'depart', termIds: ['chair'] }] },
      'alice bob carol chair',
    ],
  ])('%s', (_, input, expected) => expect(shape(input)).toBe(expected));

  const first = (input: Case) =>
    layout(input)
      .cells.filter(({ area }) => area !== 'stage')
      .map(({ key }) => key);
  const many: Case = { terminals: crowd(30), sharing: ['t0'] };

  test('a speaker replaces a silent participant on the first page, and no other one moves', () => {
    const silent = first(many);
    const spoken = first({
      ...many,
      commands: [{ verb: 'mode', mode: 'AUTO', termId: null }],
      speakers: ['t1', 't25'],
    });
    expect(spoken).toContain('t25');
    expect(spoken.filter((key) => !silent.includes(key))).toEqual(['t25']);
  });
  test('two who speak in turn do not change places', () => {
    const quarrel = (speakers: string[]) => layout({ ...many, commands: [speaker('t1')], speakers }).cells;
    expect(quarrel(['t28', 't25'])).toEqual(quarrel(['t25', 't28']));
  });
  test('a terminal on top is not moved for a speaker', () => {
    const kept = crowd(30).slice(20, 24).map(top);
    expect(first({ ...many, commands: kept, speakers: ['t28', 't27', 't26'] })).toEqual(
      expect.arrayContaining(['t20', 't21', 't22', 't23']),
    );
  });
  test('in EQUAL no one moves', () => {
    expect(first({ ...many, commands: [equal], speakers: ['t28'] })).toEqual(first({ ...many, commands: [equal] }));
  });
});

describe('places', () => {
  const screens = [
    DESK,
    { width: 3_840, height: 2_160 },
    { width: 820, height: 1_180 },
    { width: 390, height: 760, phone: true },
    { width: 1, height: 1 },
  ];
  const cases = screens.flatMap((screen) =>
    [1, 2, 3, 5, 9, 16, 50, 120].flatMap((count) => [[], ['t0']].map((sharing) => ({ screen, count, sharing }))),
  );
  test.each(cases)(
    '$count on $screen.width × $screen.height, content of $sharing: within the screen, and none over another',
    ({ screen, count, sharing }) => {
      const { cells } = layout({ terminals: crowd(count), sharing, screen: { gap: 0, ...screen } });
      expect(cells.length).toBeGreaterThan(0);
      if (screen.width === 1) return;
      for (const cell of cells) {
        expect(cell.x).toBeGreaterThanOrEqual(-0.001);
        expect(cell.x + cell.width).toBeLessThanOrEqual(1.001);
        expect(cell.y).toBeGreaterThanOrEqual(-0.001);
        expect(cell.y + cell.height).toBeLessThanOrEqual(1.001);
      }
      const apart = (a: (typeof cells)[number], b: (typeof cells)[number]) =>
        a.x + a.width <= b.x + 0.001 ||
        b.x + b.width <= a.x + 0.001 ||
        a.y + a.height <= b.y + 0.001 ||
        b.y + b.height <= a.y + 0.001;
      expect(cells.every((a, at) => cells.slice(at + 1).every((b) => apart(a, b)))).toBe(true);
    },
  );

  test('each terminal is on exactly one page', () => {
    const terminals = crowd(120);
    const { pages } = layout({ terminals });
    const seen = Array.from({ length: pages }, (_, page) =>
      layout({ terminals, page }).cells.map(({ key }) => key),
    ).flat();
    expect(seen.toSorted()).toEqual(terminals.toSorted());
    expect(pages).toBe(3);
  });
  test('hidden terminals are counted, and a page beyond the last is the last', () => {
    const { cells, hidden, page, pages } = layout({ terminals: crowd(60), page: 99 });
    expect([page, pages]).toEqual([1, 2]);
    expect(cells.length + hidden.length).toBe(60);
  });
  test('an upright screen has its strip below', () => {
    expect(layout({ sharing: ['bob'], screen: { width: 390, height: 760, phone: true } }).strip).toBe('bottom');
    expect(layout({ sharing: ['bob'] }).strip).toBe('right');
    expect(layout().strip).toBeNull();
  });
});

describe('layers', () => {
  const asked = (input: Case) => Object.fromEntries(layout(input).cells.map(({ key, ask }) => [key, ask]));
  test.each<[string, Case, Record<string, number>]>([
    ['stage and strip', { speakers: ['bob'] }, { bob: 720, chair: 180, alice: 180, carol: 180 }],
    ['a grid of four', {}, { chair: 360, alice: 360, bob: 360, carol: 360 }],
    [
      'a grid of four on a fine screen',
      { screen: { ...DESK, density: 2 } },
      { chair: 720, alice: 720, bob: 720, carol: 720 },
    ],
    ['one’s own is there already', { me: 'bob', speakers: ['alice'] }, { alice: 720, bob: 0, chair: 180, carol: 180 }],
    [
      'content is read, however small',
      { sharing: ['alice', 'bob'], terminals: ['alice', 'bob'] },
      { 'bob-screen': 720, alice: 180, 'alice-screen': 720, bob: 180 },
    ],
    [
      'a phone',
      { speakers: ['bob'], screen: { width: 390, height: 760, phone: true, density: 3 } },
      { bob: 720, chair: 360, alice: 360, carol: 360 },
    ],
  ])('%s', (_, input, expected) => expect(asked(input)).toEqual(expected));

  test('100 on one page request the lowest layer only', () => {
    expect(new Set(Object.values(asked({ terminals: crowd(100) })))).toEqual(new Set([180]));
  });
});

test.each([2, 5, 7, 11])('in a grid of %i every row is centred, the last one too', (count) => {
  const space = { ...DESK, gap: 8, minWidth: 100 };
  const rows = Map.groupBy(gridIn(count, space).places(count), ({ y }) => y);
  for (const row of rows.values()) {
    const [first, last] = [row[0]!, row.at(-1)!];
    expect(first.x).toBeCloseTo(space.width - last.x - last.width, 5);
  }
});
