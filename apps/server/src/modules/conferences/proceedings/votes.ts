import type { Vote } from '@rmeet/conference';
import type { CommandAnswer, Data, contract } from '@rmeet/contract';
import { newId, type Db, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type TerminalCaller } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import { hashToken } from '../../../platform/secrets/index.ts';
import type { Control } from '../control/control.ts';
import { insideTerminal, SERVER, type ControlContext } from '../control/authorization.ts';
import { findRunning } from '../repo.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';
import { countBallots, findBallots, putBallot } from './repo.ts';

/** Ballots are counted this long after the first one, ms, so that a hundred ballots make a few commands. */
const COLLECT = 250;

type TerminalContext = Context & { caller: TerminalCaller };
type Ref = Pick<ConferenceRow, 'id' | 'tenantId' | 'meetingId'>;

export interface VotesDeps {
  db: Db;
  control: Control;
  log: Log;
  now: () => Date;
}

/** One ballot per person: by the account, else the browser's mark, else the terminal. */
const voterOf = (voteId: string, { accountId, deviceMark, termId }: TerminalRow): string =>
  hashToken(`${voteId} ${accountId ?? deviceMark ?? termId}`);

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, n) => total + n, 0);

/** The open vote. Throws VOTE_CLOSED. */
function openVoteOf({ control: { vote } }: ConferenceRow, voteId?: string): Vote {
  if (!vote || vote.closedAt !== null || (voteId !== undefined && vote.id !== voteId))
    throw new AppError('VOTE_CLOSED');
  return vote;
}

/** Counts the ballots of open votes, shortly after they were cast. */
class BallotCounter {
  readonly #deps: VotesDeps;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #runs = new Set<Promise<void>>();

  constructor(deps: VotesDeps) {
    this.#deps = deps;
  }

  schedule({ id, tenantId, meetingId }: Ref): void {
    if (this.#timers.has(id)) return;
    const timer = setTimeout(() => this.#run({ id, tenantId, meetingId }), COLLECT);
    this.#timers.set(id, timer);
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    while (this.#runs.size > 0) await Promise.all(this.#runs);
  }

  #run(ref: Ref): void {
    this.#timers.delete(ref.id);
    const started = this.#count(ref)
      .catch((error: unknown) =>
        this.#deps.log.warn(
          { error, conferenceId: ref.id },
          'Counting ballots failed; it is retried with the next ballot or at the end of the vote',
        ),
      )
      .then(() => undefined)
      .finally(() => this.#runs.delete(started));
    this.#runs.add(started);
  }

  async #count({ id, tenantId, meetingId }: Ref): Promise<void> {
    const { db, control } = this.#deps;
    await db.tenant(tenantId, async (tx) => {
      const conference = await findRunning(tx, meetingId, true);
      const vote = conference?.control.vote;
      if (conference?.id !== id || !vote || vote.closedAt !== null) return;
      const cast = sum((await countBallots(tx, conference.id, vote.id)).values());
      if (cast !== vote.cast)
        await control.execute(tx, conference, { verb: 'voteCount', id: vote.id, cast }, SERVER, null);
    });
  }
}

/** Votes of everybody inside. */
export class Votes {
  readonly #deps: VotesDeps;
  readonly #counter: BallotCounter;

  constructor(deps: VotesDeps) {
    this.#deps = deps;
    this.#counter = new BallotCounter(deps);
  }

  /** Throws VOTE_OPEN while another vote is open. */
  open(
    context: ControlContext,
    meetId: string,
    { question, options, isSecret }: Pick<Vote, 'question' | 'options' | 'isSecret'>,
  ): Promise<CommandAnswer> {
    const { control, now } = this.#deps;
    return control.command(context, meetId, 'vote', ({ conference }) => {
      const { vote } = conference.control;
      if (vote && vote.closedAt === null) throw new AppError('VOTE_OPEN');
      return { verb: 'vote', id: newId(), question, options, isSecret, at: now().toISOString() };
    });
  }

  /**
   * Stores the terminal's ballot, replacing an earlier one. No log contains ballots, and ballots of a secret vote have
   * no name.
   */
  async cast({ caller }: TerminalContext, meetId: string, voteId: string, option: number): Promise<null> {
    return this.#deps.db.tenant(caller.tenantId, async (tx) => {
      const { conference, me } = await insideTerminal(tx, caller, meetId, 'vote');
      const { options, isSecret } = openVoteOf(conference, voteId);
      if (option >= options.length) throw new AppError('VOTE_OPTION_UNKNOWN');
      await putBallot(tx, {
        voteId,
        voter: voterOf(voteId, me),
        conferenceId: conference.id,
        name: isSecret ? null : me.name,
        option,
      });
      tx.afterCommit(() => this.#counter.schedule(conference));
      return null;
    });
  }

  close(context: ControlContext, meetId: string): Promise<CommandAnswer> {
    const { control, now } = this.#deps;
    return control.command(context, meetId, 'voteClose', async ({ conference }, tx) => {
      const { id, options } = openVoteOf(conference);
      const cast = await countBallots(tx, conference.id, id);
      return {
        verb: 'voteClose',
        counts: options.map((_, option) => cast.get(option) ?? 0),
        at: now().toISOString(),
      };
    });
  }

  dismiss(context: ControlContext, meetId: string): Promise<CommandAnswer> {
    return this.#deps.control.command(context, meetId, 'voteDismiss', ({ conference }) => {
      if (!conference.control.vote) throw new AppError('VOTE_CLOSED');
      return { verb: 'voteDismiss' };
    });
  }

  /** The ballots with names, after the vote was closed. Throws VOTE_SECRET. */
  ballots(context: ControlContext, meetId: string, voteId: string): Promise<Data<typeof contract.conferences.ballots>> {
    const { db, control } = this.#deps;
    return db.tenant(context.caller.tenantId, async (tx: TenantTx) => {
      const { conference } = await control.seeing(tx, context, meetId);
      const { vote } = conference.control;
      if (vote?.id !== voteId || vote.closedAt === null) throw new AppError('NOT_FOUND');
      if (vote.isSecret) throw new AppError('VOTE_SECRET');
      return (await findBallots(tx, conference.id, voteId)).flatMap(({ name, option }) =>
        name === null ? [] : [{ name, option }],
      );
    });
  }

  /** Stops counting. */
  stop(): Promise<void> {
    return this.#counter.stop();
  }
}
