import type { CommandAnswer, contract } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import { knownEngine, type ConferenceEngine, type ControlContext } from '../control/index.ts';
import { auditAction } from './audit-action.ts';
import { DOCUMENT_CALLS, requestOf, type DocumentCall } from './document-calls.ts';
import type { GiveCommand } from './requests.ts';

type AllHandlers = Handlers<typeof contract.conferences>;
export type CommandHandlers = Pick<AllHandlers, DocumentCall | 'command'>;

/** Handlers of the one call that takes a request, and of the calls of the product document. */
export function commandRoutes(give: GiveCommand, engine: Pick<ConferenceEngine, 'name'>): CommandHandlers {
  const known = knownEngine(engine);
  const handlerOf =
    (call: DocumentCall) =>
    async (context: ControlContext, input: never): Promise<CommandAnswer | null> => {
      const { params = {} } = input as { params?: { res?: string } };
      if (params.res !== undefined) known(params.res);
      return give(context, ...requestOf(call, input));
    };
  return {
    ...(Object.fromEntries(DOCUMENT_CALLS.map((call) => [call, handlerOf(call)])) as unknown as Pick<
      AllHandlers,
      DocumentCall
    >),
    command: (context, { params, body }) => give({ ...context, action: auditAction(body) }, params.meetId, body),
  };
}
