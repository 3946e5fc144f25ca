import type { TimerAction } from '@rmeet/conference';
import type { CommandAnswer } from '@rmeet/contract';
import { AppError } from '../../../platform/http/index.ts';
import type { ControlContext } from '../control/authorization.ts';
import type { Control } from '../control/control.ts';

/** The timer of a conference: how long a person speaks, or the whole discussion takes. */
export function createTimer({ control, now }: { control: Control; now: () => Date }) {
  const at = (): string => now().toISOString();

  return {
    start: (context: ControlContext, meetId: string, termId: string | null, seconds: number): Promise<CommandAnswer> =>
      control.command(context, meetId, 'timer', () => ({ verb: 'timer', termId, seconds, at: at() })),

    change: (context: ControlContext, meetId: string, action: TimerAction, seconds: number): Promise<CommandAnswer> =>
      control.command(context, meetId, 'timerChange', ({ conference }) => {
        if (!conference.control.timer) throw new AppError('TIMER_OFF');
        return { verb: 'timerChange', action, seconds, at: at() };
      }),

    stop: (context: ControlContext, meetId: string): Promise<CommandAnswer> =>
      control.command(context, meetId, 'timerStop', () => ({ verb: 'timerStop' })),
  };
}

export type Timer = ReturnType<typeof createTimer>;
