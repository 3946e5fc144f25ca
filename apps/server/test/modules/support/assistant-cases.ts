import { assistantSetting } from '../../../src/modules/assistant/tables.ts';
import { all, type Case, type Setting } from './case-setting.ts';
import { accountOf, type CallerName } from './world.ts';

const session = { type: 1, channelResource: 'itbot' } as const;

/** The version of the settings of the caller's own organisation. */
async function versionFor({ server }: Setting, caller: CallerName): Promise<number> {
  const name = caller === 'foreignAdmin' || caller === 'foreignUser' ? caller : 'tenantAdmin';
  const tenantId = server.people.get(accountOf(name))?.tenantId ?? '';
  return (await server.db.tenant(tenantId, (tx) => tx.findOne(assistantSetting)))?.version ?? 0;
}

export const assistantCases: Record<string, Case> = {
  'assistant.session': { expected: all, args: () => ({ body: session }) },
  'assistant.about': { expected: all, args: () => ({}) },
  'assistant.ask': { expected: all, args: () => ({ body: { question: 'Why can I not book a room?' } }) },
  // No mail address is set in this setting.
  'assistant.handOver': {
    expected: { others: 'ASSISTANT_DESK_MISSING' },
    args: () => ({ body: { question: 'I hear an echo.' } }),
  },
  'assistant.settings': { expected: all, args: () => ({}) },
  'assistant.saveSettings': {
    expected: all,
    args: async (setting, caller) => ({
      body: {
        answers: 'manual',
        deskMail: '',
        modelUrl: '',
        modelName: '',
        pageUrl: '',
        version: await versionFor(setting, caller),
      },
    }),
  },
  'assistant.testModel': { expected: { others: 'ASSISTANT_MODEL_MISSING' }, args: () => ({}) },
};
