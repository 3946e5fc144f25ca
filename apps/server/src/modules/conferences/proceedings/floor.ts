import type { CommandAnswer } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
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

/** Who has the floor, and raised hands. */
export function createFloor({ push, control, now }: FloorDeps) {
  /** Lowers raised hands and tells everybody. */
  async function lowerHands(tx: TenantTx, { id, meetingId }: ConferenceRow, termIds: readonly string[]): Promise<void> {
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

  return {
    give: (context: ControlContext, meetId: string, termId: string, seconds: number | null): Promise<CommandAnswer> =>
      control.command(
        context,
        meetId,
        'giveFloor',
        () => ({ verb: 'giveFloor', termId, seconds, at: now().toISOString() }),
        (tx, { conference }) => lowerHands(tx, conference, [termId]),
      ),

    lowerHands: (context: ControlContext, meetId: string, termIds: string[]): Promise<CommandAnswer> =>
      control.command(
        context,
        meetId,
        'lowerHands',
        () => ({ verb: 'lowerHands', termIds }),
        (tx, { conference }, command) => lowerHands(tx, conference, command.termIds),
      ),
  };
}

export type Floor = ReturnType<typeof createFloor>;
