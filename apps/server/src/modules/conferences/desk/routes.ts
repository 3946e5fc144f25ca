import type { contract, Data, TerminalReport } from '@rmeet/contract';
import {
  AppError,
  type Context,
  type DeskCaller,
  type Handlers,
  type TerminalCaller,
  type UserCaller,
} from '../../../platform/http/index.ts';
import { authorize } from '../control/authorization.ts';
import { knownEngine } from '../control/engine.ts';
import { mayDo } from '../policy.ts';
import type { DeskLinks } from './links.ts';
import type { Reports } from './reports.ts';
import { deskOf, deskStateFor, terminalsFor, type DeskStateDeps, type DeskUser } from './state.ts';
import type { createWatching } from './watch.ts';

type DeskRoute =
  | 'terminalStatus'
  | 'getMediaStreamInfo'
  | 'readMediaStreamInfo'
  | 'state'
  | 'watch'
  | 'manageUrl'
  | 'monitorUrl'
  | 'links'
  | 'revokeLink'
  | 'openDesk';
export type DeskHandlers = Pick<Handlers<typeof contract.conferences>, DeskRoute>;

export interface DeskRoutesDeps extends DeskStateDeps {
  links: DeskLinks;
  reports: Pick<Reports, 'newest'>;
  watch: ReturnType<typeof createWatching>;
}

/** Links to desks, and the calls of a desk. */
export function deskRoutes({ db, now, engine, links, reports, watch }: DeskRoutesDeps): DeskHandlers {
  const known = knownEngine(engine);

  async function terminalStatus(
    { caller }: Context<DeskUser>,
    meetId: string,
  ): Promise<Data<typeof contract.conferences.terminalStatus>> {
    const { conference, terminals, waiting } = await db.tenant(caller.tenantId, async (tx) => {
      const found = await deskOf(tx, caller, meetId);
      return { ...found, ...(await terminalsFor(tx, found.conference, found.parts, engine)) };
    });
    const newest = await reports.newest(conference);
    return {
      control: conference.control,
      terminals,
      waiting,
      reports: Object.fromEntries([...newest].filter(([termId]) => terminals.some((one) => one.termId === termId))),
    };
  }

  /** The newest report of a terminal: for desks, the chair, and the terminal itself. */
  async function reportOf(
    { caller }: Context<UserCaller | TerminalCaller | DeskCaller>,
    meetId: string,
    termId: string,
  ): Promise<TerminalReport | null> {
    const conference = await db.tenant(caller.tenantId, async (tx) => {
      const { conference: running, parts, me } = await authorize(tx, caller, meetId, false);
      if (!mayDo(parts, 'desk') && me?.termId !== termId) throw new AppError('FORBIDDEN');
      if (!running.control.terminals[termId]?.present) throw new AppError('TERMINAL_ABSENT', { names: termId });
      return running;
    });
    return (await reports.newest(conference)).get(termId) ?? null;
  }

  return {
    terminalStatus: (context, { params }) => {
      known(params.res);
      return terminalStatus(context, params.id);
    },
    getMediaStreamInfo: (context, { params, query }) => {
      known(params.res);
      return reportOf(context, query.meetId, query.termId);
    },
    readMediaStreamInfo: (context, { params, query }) => {
      known(params.res);
      return reportOf(context, query.meetId, query.termId);
    },
    state: ({ caller }, { params }) => deskStateFor({ db, now, engine }, caller, params.meetId),
    watch: (context, { params }) => watch(context, params.meetId),
    manageUrl: (context, { params, query }) => links.manageUrl(context, params.a, params.b, query.timestamp),
    monitorUrl: (context, { query }) => links.monitorUrl(context, query.numericId),
    links: (context, { params }) => links.list(context, params.meetId),
    revokeLink: async (context, { params }) => {
      await links.revoke(context, params.meetId, params.id);
      return null;
    },
    openDesk: (context, { body }) => links.open(context, body.sign),
  };
}
