import {
  hasCapability,
  RECORD_ACTIONS_IN,
  recordStatusOf,
  type ConferenceCommand,
  type ConferenceControl,
  type ConferencePart,
  type RecordAction,
} from '@rmeet/conference';
import type { CommandAnswer } from '@rmeet/contract';
import { newId, type TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import { tenantOf } from '../../accounts/tenants/index.ts';
import { recordAudit, systemOrigin } from '../../audit/index.ts';
import { findMeeting } from '../../meetings/index.ts';
import type { BroadcastPort } from '../broadcast/port.ts';
import { SERVER, type Authorization, type ControlContext } from '../control/authorization.ts';
import type { Control } from '../control/index.ts';
import { isLetRecord } from '../policy.ts';
import type { ConferenceRow } from '../tables.ts';
import type { RecordingPort, RecordingWish } from './port.ts';

type RecordCommand = Extract<ConferenceCommand, { verb: 'record' }>;

export interface RecordDeps {
  control: Pick<Control, 'command' | 'execute'>;
  recordings: RecordingPort;
  broadcasts: Pick<BroadcastPort, 'recordingHeld'>;
  now: () => Date;
}

const WISHES: Record<Exclude<RecordAction, 'START'>, RecordingWish> = {
  PAUSE: 'pause',
  RESUME: 'record',
  STOP: 'stop',
};

/** Starts, pauses, resumes and stops recordings of running conferences. */
// oxlint-disable-next-line max-lines-per-function -- the ways in which recordings change, each of them short
export function createRecord({ control, recordings, broadcasts, now }: RecordDeps) {
  /** @throws AppError E2EE_UNSUPPORTED, FORBIDDEN, RECORD_NOT_POSSIBLE, RECORDING_OFF, RECORDINGS_FULL */
  async function check(
    tx: TenantTx,
    conference: ConferenceRow,
    parts: readonly ConferencePart[],
    action: RecordAction,
  ): Promise<void> {
    const settings = await tenantOf(tx, tx.tenantId);
    if (!isLetRecord(parts, settings)) throw new AppError('FORBIDDEN');
    if (!hasCapability(conference.control, 'recording')) throw new AppError('E2EE_UNSUPPORTED');
    if (!RECORD_ACTIONS_IN[recordStatusOf(conference.control)].includes(action))
      throw new AppError('RECORD_NOT_POSSIBLE');
    if (action !== 'START' && action !== 'RESUME') return;
    if (!settings.recordings) throw new AppError('RECORDING_OFF');
    if (await recordings.isFull(tx)) throw new AppError('RECORDINGS_FULL');
  }

  function commandOf({ recording }: ConferenceControl, action: RecordAction): RecordCommand {
    const recordingId = action === 'START' || !recording ? newId() : recording.id;
    return { verb: 'record', action, recordingId, at: now().toISOString() };
  }

  /** Stores what a command means for the recording itself. */
  async function store(tx: TenantTx, conference: ConferenceRow, command: RecordCommand): Promise<void> {
    const at = new Date(command.at);
    if (command.action !== 'START') return recordings.setWish(tx, command.recordingId, WISHES[command.action], at);
    // One that failed may still wait for a recorder; the new one replaces it.
    const { recording } = conference.control;
    if (recording?.status === 'FAILED') await recordings.setWish(tx, recording.id, 'stop', at);
    const { id: conferenceId, meetingId } = conference;
    return recordings.start(tx, { id: command.recordingId, conferenceId, meetingId, at });
  }

  /**
   * Viewers of a broadcast see what is recorded, so it pauses with the recording, and when another recording replaces
   * one that failed.
   */
  async function holdBroadcast(tx: TenantTx, conference: ConferenceRow, command: RecordCommand): Promise<void> {
    const { action, at } = command;
    const { broadcast } = conference.control;
    if (broadcast?.status !== 'onAir' || action === 'RESUME') return;
    await broadcasts.recordingHeld(tx, conference.meetingId, new Date(at));
    const paused = { ...broadcast, status: 'paused' as const };
    await control.execute(tx, conference, { verb: 'broadcast', broadcast: paused }, SERVER, null);
  }

  return {
    /**
     * Carries out a request.
     *
     * @throws AppError as check() and Control.command()
     */
    record(context: ControlContext, meetId: string, action: RecordAction): Promise<CommandAnswer> {
      return control.command(
        context,
        meetId,
        'record',
        async ({ conference, parts }, tx) => {
          await check(tx, conference, parts, action);
          return commandOf(conference.control, action);
        },
        async (tx, { conference }, command) => {
          await store(tx, conference, command);
          await holdBroadcast(tx, conference, command);
        },
      );
    },

    /**
     * Starts or resumes the recording of a locked conference for a broadcast, unless it is recorded already.
     *
     * @returns the recording, and whether it began with this
     * @throws AppError as check()
     */
    async ensure(
      tx: TenantTx,
      context: ControlContext,
      { conference, parts, by }: Authorization,
    ): Promise<{ recordingId: string; isNew: boolean }> {
      if (!hasCapability(conference.control, 'live')) throw new AppError('E2EE_UNSUPPORTED');
      const possible = RECORD_ACTIONS_IN[recordStatusOf(conference.control)];
      const action = (['START', 'RESUME'] as const).find((one) => possible.includes(one));
      const { recording } = conference.control;
      if (action === undefined && recording) return { recordingId: recording.id, isNew: false };
      await check(tx, conference, parts, action ?? 'START');
      const command = commandOf(conference.control, action ?? 'START');
      await store(tx, conference, command);
      await control.execute(tx, conference, command, by, context);
      return { recordingId: command.recordingId, isNew: command.action === 'START' };
    },

    /** Stops a recording of a locked conference with the broadcast that started it, unless it is over. */
    async finish(
      tx: TenantTx,
      context: ControlContext,
      { conference, by }: Authorization,
      recordingId: string,
    ): Promise<void> {
      if (conference.control.recording?.id !== recordingId) return;
      if (!RECORD_ACTIONS_IN[recordStatusOf(conference.control)].includes('STOP')) return;
      const command = commandOf(conference.control, 'STOP');
      await store(tx, conference, command);
      await control.execute(tx, conference, command, by, context);
    },

    /**
     * Terminals have entered or left: with the first one inside, starts a recording that was booked. A conference that
     * had a recording, even a stopped one, does not get one by itself. A recorder waits for space if there is none.
     */
    async moved(tx: TenantTx, conference: ConferenceRow): Promise<void> {
      const { recording, terminals } = conference.control;
      if (recording || !Object.values(terminals).some(({ present }) => present)) return;
      const meeting = await findMeeting(tx, conference.meetingId);
      if (!meeting?.autoRecord || !hasCapability(conference.control, 'recording')) return;
      if (!(await tenantOf(tx, tx.tenantId)).recordings) return;
      const command = commandOf(conference.control, 'START');
      await store(tx, conference, command);
      await control.execute(tx, conference, command, SERVER, null);
      await recordAudit(tx, systemOrigin('conferences.setConfRecord'), now(), {
        target: { kind: 'conference', id: conference.id, name: meeting.subject },
        after: { verb: 'record', action: 'START', recordingId: command.recordingId },
      });
    },
  };
}

export type Recordings = ReturnType<typeof createRecord>;
