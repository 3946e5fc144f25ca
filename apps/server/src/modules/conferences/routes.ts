import type { contract } from '@rmeet/contract';
import { networkOf, Queues, type Handlers } from '../../platform/http/index.ts';
import type { CallHandlers } from './calls/index.ts';
import type { Chat } from './chat/chat.ts';
import type { ChatFiles } from './chat/files.ts';
import type { CommandHandlers } from './commands/index.ts';
import type { ControlHandlers } from './control/index.ts';
import type { DeskHandlers } from './desk/routes.ts';
import type { BeforeJoining } from './joining/before-joining.ts';
import type { ConnectionChecks } from './joining/connection-checks.ts';
import type { Joining } from './joining/service.ts';
import type { Participation } from './participation.ts';
import type { ProceedingHandlers } from './proceedings/index.ts';
import type { TopologyHandlers } from './topology/index.ts';

type AllHandlers = Handlers<typeof contract.conferences>;
type PresenceRoute =
  | 'join'
  | 'preJoin'
  | 'lookUp'
  | 'checkConnection'
  | 'enter'
  | 'migrate'
  | 'leave'
  | 'hand'
  | 'chat'
  | 'deleteMessage'
  | 'chatFile'
  | 'react'
  | 'renameSelf';

/**
 * Concurrent joins of one meeting from one network. More would only wait for the lock of the conference, and hold
 * connections to the database meanwhile.
 */
const JOINS = { atOnce: 4, longest: 2_000, patience: 20_000 };

interface PresenceDeps {
  joining: Joining;
  participation: Participation;
  beforeJoining: BeforeJoining;
  connectionChecks: ConnectionChecks;
  chat: Chat;
  chatFiles: ChatFiles;
}

function presenceRoutes({
  joining,
  participation,
  beforeJoining,
  connectionChecks,
  chat,
  chatFiles,
}: PresenceDeps): Pick<AllHandlers, PresenceRoute> {
  const joins = new Queues(JOINS);
  return {
    join: (context, { body }) =>
      joins.run(`${body.resource ?? body.numericId} ${networkOf(context.address)}`, context.signal, () =>
        joining.join(context, body),
      ),
    preJoin: ({ caller }, { query }) => beforeJoining.preJoin(caller, query),
    lookUp: (context, { body }) => beforeJoining.lookUp(context, body),
    checkConnection: (context) => connectionChecks.open(context),
    enter: (context, { params }) => joining.enter(context, params.meetId),
    migrate: (context, { params }) => joining.migrate(context, params.meetId),
    leave: async (context, { params }) => {
      await joining.leave(context, params.meetId);
      return null;
    },
    hand: async (context, { params, body }) => {
      await participation.raiseHand(context, params.meetId, body.raised);
      return null;
    },
    chat: (context, { params, body, files }) => chat.say(context, params.meetId, body, files),
    chatFile: (context, { params, query }) => chatFiles.download(context, params, query),
    deleteMessage: async (context, { params }) => {
      await chat.deleteMessage(context, params.meetId, params.id);
      return null;
    },
    react: async (context, { params, body }) => {
      await participation.react(context, params.meetId, body.reaction);
      return null;
    },
    renameSelf: async (context, { params, body }) => {
      await participation.renameSelf(context, params.meetId, body.name);
      return null;
    },
  };
}

export interface ConferenceRoutesDeps extends PresenceDeps {
  commands: CommandHandlers;
  control: ControlHandlers;
  proceedings: ProceedingHandlers;
  desk: DeskHandlers;
  calls: CallHandlers;
  topology: TopologyHandlers;
}

/** All routes of running conferences. */
export function conferenceRoutes({
  commands,
  control,
  proceedings,
  desk,
  calls,
  topology,
  ...presence
}: ConferenceRoutesDeps): AllHandlers {
  return {
    ...presenceRoutes(presence),
    ...commands,
    ...control,
    ...proceedings,
    ...desk,
    ...calls,
    ...topology,
  };
}
