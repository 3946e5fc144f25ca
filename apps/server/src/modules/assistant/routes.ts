import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import { createDesk } from './desk.ts';
import { createAssistantHosts } from './hosts.ts';
import { createAssistantService, type AssistantDeps } from './service.ts';
import { createSettings } from './settings.ts';

/** The calls of the assistant. `named`: RMEET_ASSISTANT_HOSTS. */
export function createAssistant(
  deps: Omit<AssistantDeps, 'hosts'>,
  named: readonly string[],
): Handlers<typeof contract.assistant> {
  const hosts = createAssistantHosts(named);
  const service = createAssistantService({ ...deps, hosts });
  const settings = createSettings({ ...deps, hosts });
  const handOver = createDesk(deps);
  return {
    session: (context) => service.session(context),
    about: (context) => service.about(context),
    ask: (context, { body }) => service.ask(context, body),
    handOver: (context, { body }) => handOver(context, body),
    settings: (context) => settings.show(context),
    saveSettings: (context, { body }) => settings.save(context, body),
    testModel: (context) => service.testModel(context),
  };
}
