import type { contract, Data } from '@rmeet/contract';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type TerminalCaller } from '../../platform/http/index.ts';
import type { Push } from '../../platform/push/index.ts';
import { insideTerminal, type Control, type ControlContext } from './control/index.ts';
import type { Lifecycle } from './engine/lifecycle.ts';
import { insertMessage, updateTerminals } from './repo.ts';
import { presentMessage, presentTerminal } from './state.ts';
import type { ConferenceRow } from './tables.ts';

type TerminalContext = Context & { caller: TerminalCaller };

export interface ParticipationDeps {
  db: Db;
  push: Push;
  now: () => Date;
  control: Control;
  lifecycle: Pick<Lifecycle, 'end'>;
}

/** What participants do in a conference: raise a hand, write a chat message, end it. */
export function createParticipation({ db, push, now, control, lifecycle }: ParticipationDeps) {
  const publish = (tx: TenantTx, conference: ConferenceRow, event: { type: string } & Record<string, unknown>) =>
    push.publish(tx, `meeting:${conference.meetingId}`, { ...event, conferenceId: conference.id });

  return {
    async end(context: ControlContext, meetId: string): Promise<void> {
      const { conference, by } = await db.tenant(context.caller.tenantId, (tx) =>
        control.commanding(tx, context, meetId, 'end'),
      );
      const onEnd = async (tx: TenantTx, ended: ConferenceRow): Promise<void> => {
        await control.execute(tx, ended, { verb: 'end' }, by, context);
      };
      if (!(await lifecycle.end(conference, 'ended', 'end', onEnd))) throw new AppError('CONFERENCE_OVER');
    },

    async raiseHand({ caller }: TerminalContext, meetId: string, raised: boolean): Promise<void> {
      await db.tenant(caller.tenantId, async (tx) => {
        const { conference, me } = await insideTerminal(tx, caller, meetId, 'raiseHand');
        if ((me.handRaisedAt !== null) === raised) return;
        const [row] = await updateTerminals(tx, [me.termId], ['admitted'], { handRaisedAt: raised ? now() : null });
        if (row) await publish(tx, conference, { type: 'terminalChanged', terminal: presentTerminal(row) });
      });
    },

    /** Posts a chat message. A repeated call with the same id has no further effect. */
    async chat(
      { caller }: TerminalContext,
      meetId: string,
      { id, text }: { id: string; text: string },
    ): Promise<Data<typeof contract.conferences.chat>> {
      return db.tenant(caller.tenantId, async (tx) => {
        const { conference, me } = await insideTerminal(tx, caller, meetId, 'chat');
        const { row, isNew } = await insertMessage(tx, {
          id,
          conferenceId: conference.id,
          termId: me.termId,
          name: me.name,
          text,
          sentAt: now(),
        });
        if (row.termId !== me.termId) throw new AppError('INVALID_INPUT');
        const message = presentMessage(row);
        if (isNew) await publish(tx, conference, { type: 'chat', message });
        return message;
      });
    },
  };
}

export type Participation = ReturnType<typeof createParticipation>;
