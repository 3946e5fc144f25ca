import { allowancesOf } from '@rmeet/conference';
import type { Reaction } from '@rmeet/contract';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type TerminalCaller } from '../../platform/http/index.ts';
import type { Push } from '../../platform/push/index.ts';
import { insideTerminal, type Control, type ControlContext } from './control/index.ts';
import type { Lifecycle } from './engine/lifecycle.ts';
import { mayDo } from './policy.ts';
import { updateTerminals } from './repo.ts';
import { presentTerminal } from './state.ts';
import type { ConferenceRow } from './tables.ts';

type TerminalContext = Context & { caller: TerminalCaller };

export interface ParticipationDeps {
  db: Db;
  push: Push;
  now: () => Date;
  control: Control;
  lifecycle: Pick<Lifecycle, 'end'>;
}

/** What participants do in a conference: raise a hand, react, change their name, end it. */
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

    /** @throws AppError REACTIONS_OFF */
    async react({ caller }: TerminalContext, meetId: string, reaction: Reaction): Promise<void> {
      await db.tenant(caller.tenantId, async (tx) => {
        const { conference, me, parts } = await insideTerminal(tx, caller, meetId, 'react', false);
        if (!allowancesOf(conference.control).reactions && !mayDo(parts, 'react')) throw new AppError('REACTIONS_OFF');
        const at = now().toISOString();
        await publish(tx, conference, { type: 'reaction', termId: me.termId, reaction, at });
      });
    },

    /** Changes the terminal's own name, as the command `rename` does. @throws AppError RENAME_OFF */
    async renameSelf(context: TerminalContext, meetId: string, name: string): Promise<void> {
      await db.tenant(context.caller.tenantId, async (tx) => {
        const { conference, me, parts, by } = await insideTerminal(tx, context.caller, meetId, 'renameSelf');
        if (!allowancesOf(conference.control).selfRename && !mayDo(parts, 'control')) throw new AppError('RENAME_OFF');
        if (me.name === name) return;
        await control.execute(tx, conference, { verb: 'rename', termId: me.termId, name }, by, context);
      });
    },
  };
}

export type Participation = ReturnType<typeof createParticipation>;
