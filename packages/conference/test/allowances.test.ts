import { expect, test } from 'vitest';
import { allowancesOf, applyCommand, controlChanges, leads, shareBarrier, withChanges } from '../src/index.ts';
import type { ConferenceCommand, ConferenceControl } from '../src/index.ts';
import { AN_ID, four } from './game.ts';

const ALL = { shareFor: 'all', chatFor: 'all', reactions: true, selfRename: true, chatFiles: true };
const onlyHosts: ConferenceCommand = { verb: 'allow', shareFor: 'hosts' };

/** As it was stored before there were allowances. */
const stored = (control: ConferenceControl): ConferenceControl =>
  Object.fromEntries(Object.entries(control).filter(([field]) => !(field in ALL))) as ConferenceControl;

test('a state stored before allowances existed allows everything, can be changed, and changed back', () => {
  const old = stored(four);
  expect(allowancesOf(old)).toEqual(ALL);
  const changed = applyCommand(old, { verb: 'allow', chatFor: 'hosts' });
  const changes = controlChanges(old, changed);
  expect(changes).toEqual([{ termId: null, field: 'chatFor', before: 'all', after: 'hosts' }]);
  expect(allowancesOf(withChanges(old, changes, changed.version))).toEqual({ ...ALL, chatFor: 'hosts' });
  expect(allowancesOf(applyCommand(changed, { verb: 'undo', commandId: AN_ID, changes }))).toEqual(ALL);
});

test('hosts, the chair and co-chairs lead', () => {
  const named = applyCommand(four, { verb: 'coChairs', termIds: ['bob'], appoint: true });
  expect(['chair', 'alice', 'bob', 'carol', 'nobody'].filter((termId) => leads(named, termId))).toEqual([
    'chair',
    'bob',
  ]);
});

test('sharing is for people who lead and those they ask, or for one terminal while it is locked', () => {
  const barriers = (...commands: ConferenceCommand[]) => {
    const control = commands.reduce(applyCommand, four);
    return ['chair', 'alice', 'bob'].map((termId) => shareBarrier(control, termId));
  };
  expect(barriers()).toEqual([null, null, null]);
  expect(barriers(onlyHosts)).toEqual([null, 'hosts', 'hosts']);
  expect(barriers(onlyHosts, { verb: 'dualStream', termId: 'bob', open: true })).toEqual([null, 'hosts', null]);
  expect(barriers(onlyHosts, { verb: 'contentLock', termId: 'bob' })).toEqual(['locked', 'locked', null]);
});
