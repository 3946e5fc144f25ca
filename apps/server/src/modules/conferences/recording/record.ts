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
import { SERVER, type ControlContext } from '../control/authorization.ts';
import type { Control } from '../control/index.ts';
import { isLetRecord } from '../policy.ts';
import type { ConferenceRow } from '../tables.ts';
import type { RecordingPort, RecordingWish } from './port.ts';

type RecordCommand = Extract<ConferenceCommand, { verb: 'record' }>;

export interface RecordDeps {
  control: Pick<Control, 'command' | 'execute'>;
  recordings: RecordingPort;
  now: () => Date;
}

const WISHES: Record<Exclude<RecordAction, 'START'>, RecordingWish> = {
  PAUSE: 'pause',
  RESUME: 'record',
  STOP: 'stop',
};

/** Starts, pauses, resumes and stops recordings of running conferences. */
export function createRecord({ control, recordings, now }: RecordDeps) {
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
        (tx, { conference }, command) => store(tx, conference, command),
      );
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
