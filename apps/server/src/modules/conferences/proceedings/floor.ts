import { controlOrder, type ConferenceControl, type TimerAction } from '@rmeet/conference';
import type { CommandAnswer } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import type { Control } from '../control/control.ts';
import type { ControlContext } from '../control/authorization.ts';
import { findTerminals, updateTerminals } from '../repo.ts';
import { presentTerminal } from '../state.ts';
import type { ConferenceRow } from '../tables.ts';

export interface FloorDeps {
  push: Push;
  control: Control;
  now: () => Date;
}

/** A roll call that has not ended. */
function running({ rollCall }: ConferenceControl): void {
  if (!rollCall || rollCall.endedAt !== null) throw new AppError('ROLL_CALL_OFF');
}

/** Who speaks, for how long, and who answers when called. */
export function createFloor({ push, control, now }: FloorDeps) {
  /** Hands that are up go down, and everybody is told. */
  async function lower(tx: TenantTx, { id, meetingId }: ConferenceRow, termIds: readonly string[]): Promise<void> {
    const raised = (await findTerminals(tx, termIds))
      .filter(({ handRaisedAt }) => handRaisedAt !== null)
      .map(({ termId }) => termId);
    const rows = await updateTerminals(tx, raised, ['admitted'], { handRaisedAt: null });
    for (const row of rows)
      await push.publish(tx, `meeting:${meetingId}`, {
        type: 'terminalChanged',
        terminal: presentTerminal(row),
        conferenceId: id,
      });
  }

  const at = (): string => now().toISOString();

  return {
    give: (context: ControlContext, meetId: string, termId: string, seconds: number | null): Promise<CommandAnswer> =>
      control.command(
        context,
        meetId,
        'giveFloor',
        () => ({ verb: 'giveFloor', termId, seconds, at: at() }),
        (tx, { conference }) => lower(tx, conference, [termId]),
      ),

    lowerHands: (context: ControlContext, meetId: string, termIds: string[]): Promise<CommandAnswer> =>
      control.command(
        context,
        meetId,
        'lowerHands',
        () => ({ verb: 'lowerHands', termIds }),
        (tx, { conference }, command) => lower(tx, conference, command.termIds),
      ),

    startTimer: (
      context: ControlContext,
      meetId: string,
      termId: string | null,
      seconds: number,
    ): Promise<CommandAnswer> =>
      control.command(context, meetId, 'timer', () => ({ verb: 'timer', termId, seconds, at: at() })),

    changeTimer: (
      context: ControlContext,
      meetId: string,
      action: TimerAction,
      seconds: number,
    ): Promise<CommandAnswer> =>
      control.command(context, meetId, 'timerChange', ({ conference }) => {
        if (!conference.control.timer) throw new AppError('TIMER_OFF');
        return { verb: 'timerChange', action, seconds, at: at() };
      }),

    stopTimer: (context: ControlContext, meetId: string): Promise<CommandAnswer> =>
      control.command(context, meetId, 'timerStop', () => ({ verb: 'timerStop' })),

    /** In the order given, else in that of the list. Throws TERMINAL_ABSENT for somebody who was never here. */
    startRollCall: (context: ControlContext, meetId: string, termIds: readonly string[]): Promise<CommandAnswer> =>
      control.command(context, meetId, 'rollCall', ({ conference }) => {
        const { terminals } = conference.control;
        const strangers = termIds.filter((termId) => !terminals[termId]);
        if (strangers.length > 0) throw new AppError('TERMINAL_ABSENT', { names: strangers.join(', ') });
        const called = termIds.length > 0 ? [...new Set(termIds)] : controlOrder(conference.control);
        return {
          verb: 'rollCall',
          entries: called.map((termId) => ({ termId, name: terminals[termId]?.name ?? termId })),
          at: at(),
        };
      }),

    mark: (
      context: ControlContext,
      meetId: string,
      termId: string,
      mark: 'present' | 'absent' | null,
    ): Promise<CommandAnswer> =>
      control.command(context, meetId, 'rollMark', ({ conference }) => {
        if (!conference.control.rollCall) throw new AppError('ROLL_CALL_OFF');
        return { verb: 'rollMark', termId, mark };
      }),

    callUp: (context: ControlContext, meetId: string, termId: string): Promise<CommandAnswer> =>
      control.command(context, meetId, 'callUp', ({ conference }) => {
        running(conference.control);
        return { verb: 'callUp', termId };
      }),

    endRollCall: (context: ControlContext, meetId: string): Promise<CommandAnswer> =>
      control.command(context, meetId, 'rollCallEnd', ({ conference }) => {
        running(conference.control);
        return { verb: 'rollCallEnd', at: at() };
      }),
  };
}

export type Floor = ReturnType<typeof createFloor>;
