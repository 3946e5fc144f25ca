import { describe, expect, test } from 'vitest';
import { applyCommand, recordStatusOf, type ConferenceCommand, type ConferenceControl } from '../src/index.ts';
import { AN_ID, four, moment, play } from './game.ts';

const OTHER_ID = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d14';
type Command = Extract<ConferenceCommand, { verb: 'record' | 'recordStatus' }>;
const asks = (action: Extract<Command, { verb: 'record' }>['action'], recordingId = AN_ID, seconds = 0): Command => ({
  verb: 'record',
  action,
  recordingId,
  at: moment(seconds),
});
const reports = (
  status: Extract<Command, { verb: 'recordStatus' }>['status'],
  trouble: Extract<Command, { verb: 'recordStatus' }>['trouble'] = null,
  recordingId = AN_ID,
): Command => ({ verb: 'recordStatus', recordingId, status, trouble, isSpaceLow: false });
/** The status after each of the commands. */
const statuses = (...commands: Command[]): string[] =>
  commands.map((_, at) => recordStatusOf(play(commands.slice(0, at + 1), four)));
const withoutVersion = (control: ConferenceControl) => ({ ...control, version: 0 });

describe('a recording', () => {
  test('starts, records, pauses, resumes and stops', () => {
    expect(recordStatusOf(four)).toBe('NONE');
    expect(
      statuses(
        asks('START'),
        reports('RECORDING'),
        asks('PAUSE'),
        asks('RESUME'),
        reports('RECORDING'),
        asks('STOP'),
        asks('START', OTHER_ID),
      ),
    ).toEqual(['STARTING', 'RECORDING', 'PAUSED', 'STARTING', 'RECORDING', 'STOPPED', 'STARTING']);
  });

  test('keeps its start; a later recording has its own id and start', () => {
    const first = play([asks('START'), asks('PAUSE', AN_ID, 9), asks('RESUME', AN_ID, 12)], four);
    expect(first.recording).toMatchObject({ id: AN_ID, startedAt: moment(0) });
    const second = play([asks('STOP', AN_ID, 20), asks('START', OTHER_ID, 30)], first);
    expect(second.recording).toMatchObject({ id: OTHER_ID, startedAt: moment(30), trouble: null });
  });

  test('shows why it paused or failed until it goes on', () => {
    const full = play([asks('START'), reports('PAUSED', 'quotaFull')], four);
    expect(full.recording).toMatchObject({ status: 'PAUSED', trouble: 'quotaFull' });
    expect(play([reports('RECORDING')], full).recording).toMatchObject({ status: 'RECORDING', trouble: null });
    expect(statuses(asks('START'), reports('FAILED', 'noRecorder'), reports('RECORDING'))).toEqual([
      'STARTING',
      'FAILED',
      'RECORDING',
    ]);
    expect(statuses(asks('START'), reports('FAILED', 'noRecorder'), asks('START', OTHER_ID)).at(-1)).toBe('STARTING');
  });

  test('ignores actions that its status does not have, and those about another recording', () => {
    const running = play([asks('START'), reports('RECORDING')], four);
    for (const command of [asks('START', OTHER_ID), asks('RESUME'), asks('STOP', OTHER_ID), asks('PAUSE', OTHER_ID)])
      expect(withoutVersion(applyCommand(running, command)), JSON.stringify(command)).toEqual(withoutVersion(running));
    for (const action of ['PAUSE', 'RESUME', 'STOP'] as const)
      expect(withoutVersion(applyCommand(four, asks(action)))).toEqual(withoutVersion(four));
  });

  test('ignores reports that come after its stop, or about an earlier recording', () => {
    const stopped = play([asks('START'), asks('STOP')], four);
    expect(recordStatusOf(applyCommand(stopped, reports('RECORDING')))).toBe('STOPPED');
    const next = play([asks('START', OTHER_ID)], stopped);
    expect(next.recording).toEqual(applyCommand(next, reports('FAILED', 'noRecorder', AN_ID)).recording);
  });
});
