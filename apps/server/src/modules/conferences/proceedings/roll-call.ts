import { controlOrder, type ConferenceControl } from '@rmeet/conference';
import type { CommandAnswer } from '@rmeet/contract';
import { AppError } from '../../../platform/http/index.ts';
import type { ControlContext } from '../control/authorization.ts';
import type { Control } from '../control/control.ts';

/** @throws AppError ROLL_CALL_OFF if there is no roll call or it has ended */
function mustBeOpen({ rollCall }: ConferenceControl): void {
  if (!rollCall || rollCall.endedAt !== null) throw new AppError('ROLL_CALL_OFF');
}

/** Roll calls: who is present. */
export function createRollCall({ control, now }: { control: Control; now: () => Date }) {
  const at = (): string => now().toISOString();

  return {
    /** In the given order, else in the order of the list. Throws TERMINAL_ABSENT for an unknown terminal. */
    start: (context: ControlContext, meetId: string, termIds: readonly string[]): Promise<CommandAnswer> =>
      control.command(context, meetId, 'rollCall', ({ conference }) => {
        const { terminals } = conference.control;
        const unknown = termIds.filter((termId) => !terminals[termId]);
        if (unknown.length > 0) throw new AppError('TERMINAL_ABSENT', { names: unknown.join(', ') });
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
        mustBeOpen(conference.control);
        return { verb: 'callUp', termId };
      }),

    end: (context: ControlContext, meetId: string): Promise<CommandAnswer> =>
      control.command(context, meetId, 'rollCallEnd', ({ conference }) => {
        mustBeOpen(conference.control);
        return { verb: 'rollCallEnd', at: at() };
      }),
  };
}

export type RollCall = ReturnType<typeof createRollCall>;
