import type { TenantTx } from '../../../platform/db/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import type { Control } from '../control/index.ts';
import { findRunning, setEmptySince, updateTerminals } from '../repo.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';
import type { Findings } from './presence-check.ts';

export interface PresenceRecordDeps {
  push: Push;
  control: Pick<Control, 'depart'>;
  now: () => Date;
}

/**
 * Stores who arrived in and who left a conference.
 *
 * @param disabled present terminals whose account or tenant was disabled
 */
export async function recordPresence(
  { push, control, now }: PresenceRecordDeps,
  tx: TenantTx,
  conference: ConferenceRow,
  findings: Findings,
  disabled: readonly TerminalRow[],
): Promise<void> {
  const running = await findRunning(tx, conference.meetingId, true);
  if (running?.id !== conference.id) return;
  const at = now();
  const topic = `meeting:${conference.meetingId}`;
  const removeAdmitted = async (termIds: string[], state: TerminalRow['state']): Promise<void> => {
    const rows = await updateTerminals(tx, termIds, ['admitted'], { state, leftAt: at, handRaisedAt: null });
    await control.depart(
      tx,
      running,
      rows.map(({ termId }) => termId),
    );
  };
  const removeWaiting = async (termIds: string[], state: TerminalRow['state']): Promise<void> => {
    const rows = await updateTerminals(tx, termIds, ['waiting'], { state, leftAt: at, handRaisedAt: null });
    for (const { termId } of rows)
      await push.publish(tx, topic, { type: 'waitingRemoved', termId, conferenceId: conference.id });
  };
  const disabledIn = (state: TerminalRow['state']): string[] =>
    disabled.filter((row) => row.state === state).map((row) => row.termId);

  await updateTerminals(tx, findings.arrived, ['admitted'], { joinedAt: at });
  await removeAdmitted(disabledIn('admitted'), 'removed');
  await removeWaiting(disabledIn('waiting'), 'removed');
  await removeAdmitted(findings.vanished, 'lost');
  await removeWaiting(findings.abandoned, 'left');
  if (findings.isEmpty !== (running.emptySince !== null))
    await setEmptySince(tx, conference.id, findings.isEmpty ? at : null);
  // A vanished terminal must not keep receiving events.
  if (findings.vanished.length > 0) tx.afterCommit(() => push.refresh({ termIds: findings.vanished }));
  if (disabled.length > 0)
    tx.afterCommit(() => push.disconnect({ termIds: disabled.map((row) => row.termId) }, 'TERMINAL_GONE'));
}
