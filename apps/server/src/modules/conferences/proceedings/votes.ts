import type { Vote } from '@rmeet/conference';
import type { CommandAnswer, Data, contract } from '@rmeet/contract';
import { newId, type Db, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type TerminalCaller } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import { hashToken } from '../../../platform/secrets/index.ts';
import type { Control } from '../control/control.ts';
import { SERVER, standingIn, type ControlContext } from '../control/authorization.ts';
import { mayDo } from '../policy.ts';
import { findRunning } from '../repo.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';
import { countBallots, findBallots, putBallot } from './repo.ts';

/** Ballots are told this long after they come, ms, so that a hundred of them make a few commands. */
const GATHER = 250;

type Ref = Pick<ConferenceRow, 'id' | 'tenantId' | 'meetingId'>;

export interface VotesDeps {
  db: Db;
  control: Control;
  log: Log;
  now: () => Date;
}

/** One ballot for each person: the account, the mark of the browser, else the terminal. */
const voterOf = (voteId: string, { accountId, deviceMark, termId }: TerminalRow): string =>
  hashToken(`${voteId} ${accountId ?? deviceMark ?? termId}`);

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, n) => total + n, 0);

/** Questions put to everybody inside. */
export function createVotes({ db, control, log, now }: VotesDeps) {
  const gathering = new Map<string, NodeJS.Timeout>();
  const runs = new Set<Promise<void>>();

  /** The vote that is open, or VOTE_CLOSED. */
  function open({ control: { vote } }: ConferenceRow, voteId?: string): Vote {
    if (!vote || vote.closedAt !== null || (voteId !== undefined && vote.id !== voteId))
      throw new AppError('VOTE_CLOSED');
    return vote;
  }

  async function count(ref: Ref): Promise<void> {
    await db.tenant(ref.tenantId, async (tx) => {
      const conference = await findRunning(tx, ref.meetingId, true);
      const vote = conference?.control.vote;
      if (conference?.id !== ref.id || !vote || vote.closedAt !== null) return;
      const cast = sum((await countBallots(tx, conference.id, vote.id)).values());
      if (cast !== vote.cast)
        await control.execute(tx, conference, { verb: 'voteCount', id: vote.id, cast }, SERVER, null);
    });
  }

  function run(ref: Ref): void {
    gathering.delete(ref.id);
    const started = count(ref)
      .catch((error: unknown) =>
        log.warn(
          { error, conferenceId: ref.id },
          'Ballots were not counted; the next one, or the end of the vote, does it',
        ),
      )
      .then(() => undefined)
      .finally(() => runs.delete(started));
    runs.add(started);
  }

  return {
    /** Throws VOTE_OPEN while another one is. */
    open: (
      context: ControlContext,
      meetId: string,
      { question, options, isSecret }: Pick<Vote, 'question' | 'options' | 'isSecret'>,
    ): Promise<CommandAnswer> =>
      control.command(context, meetId, 'vote', ({ conference }) => {
        const { vote } = conference.control;
        if (vote && vote.closedAt === null) throw new AppError('VOTE_OPEN');
        return { verb: 'vote', id: newId(), question, options, isSecret, at: now().toISOString() };
      }),

    /**
     * The terminal's ballot, in the place of an earlier one. It is in no log; of a secret vote nobody learns whose it
     * is.
     */
    async cast(
      context: Context & { caller: TerminalCaller },
      meetId: string,
      voteId: string,
      option: number,
    ): Promise<null> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const { conference, parts, me } = await standingIn(tx, context.caller, meetId, true);
        if (!mayDo(parts, 'vote')) throw new AppError('FORBIDDEN');
        if (me?.state !== 'admitted') throw new AppError('TERMINAL_GONE');
        const { options, isSecret } = open(conference, voteId);
        if (option >= options.length) throw new AppError('VOTE_OPTION_UNKNOWN');
        await putBallot(tx, {
          voteId,
          voter: voterOf(voteId, me),
          conferenceId: conference.id,
          name: isSecret ? null : me.name,
          option,
        });
        const { id, tenantId, meetingId } = conference;
        tx.afterCommit(() => {
          if (!gathering.has(id))
            gathering.set(
              id,
              setTimeout(() => run({ id, tenantId, meetingId }), GATHER),
            );
        });
        return null;
      });
    },

    close: (context: ControlContext, meetId: string): Promise<CommandAnswer> =>
      control.command(context, meetId, 'voteClose', async ({ conference }, tx) => {
        const { id, options } = open(conference);
        const cast = await countBallots(tx, conference.id, id);
        return {
          verb: 'voteClose',
          counts: options.map((_, option) => cast.get(option) ?? 0),
          at: now().toISOString(),
        };
      }),

    dismiss: (context: ControlContext, meetId: string): Promise<CommandAnswer> =>
      control.command(context, meetId, 'voteDismiss', ({ conference }) => {
        if (!conference.control.vote) throw new AppError('VOTE_CLOSED');
        return { verb: 'voteDismiss' };
      }),

    /** Who voted for what, once the vote is closed. Throws VOTE_SECRET. */
    ballots: (
      context: ControlContext,
      meetId: string,
      voteId: string,
    ): Promise<Data<typeof contract.conferences.ballots>> =>
      db.tenant(context.caller.tenantId, async (tx: TenantTx) => {
        const { conference } = await control.seeing(tx, context, meetId);
        const { vote } = conference.control;
        if (vote?.id !== voteId || vote.closedAt === null) throw new AppError('NOT_FOUND');
        if (vote.isSecret) throw new AppError('VOTE_SECRET');
        return (await findBallots(tx, conference.id, voteId)).flatMap(({ name, option }) =>
          name === null ? [] : [{ name, option }],
        );
      }),

    async stop(): Promise<void> {
      for (const timer of gathering.values()) clearTimeout(timer);
      gathering.clear();
      while (runs.size > 0) await Promise.all(runs);
    },
  };
}

export type Votes = ReturnType<typeof createVotes>;
