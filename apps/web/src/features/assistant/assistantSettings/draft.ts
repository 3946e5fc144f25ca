import type { Args, AssistantAnswers, AssistantSettings, contract } from '@rmeet/contract';

export interface Draft {
  answers: AssistantAnswers;
  deskMail: string;
  modelUrl: string;
  modelName: string;
  /** A new one; empty: as it is stored. */
  modelKey: string;
  pageUrl: string;
  pageSecret: string;
}

export const SHORTEST_SECRET = 16;

export const draftOf = ({ answers, deskMail, modelUrl, modelName, pageUrl }: AssistantSettings): Draft => ({
  answers,
  deskMail,
  modelUrl,
  modelName,
  modelKey: '',
  pageUrl,
  pageSecret: '',
});

type Body = Args<typeof contract.assistant.saveSettings>['body'];

export const bodyOf = ({ modelKey, pageSecret, ...draft }: Draft, version: number): Body => ({
  ...draft,
  ...(modelKey === '' ? {} : { modelKey }),
  ...(pageSecret === '' ? {} : { pageSecret }),
  version,
});

type Fault = 'mail' | 'url' | 'name' | 'secret' | 'letters';

const isUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
const isSecret = (text: string): boolean => /^[\x21-\x7e]*$/.test(text);

/** What is wrong with a draft, before it is sent. `hasSecret`: one is stored for the outside page. */
export function faultsIn(draft: Draft, hasSecret: boolean): Partial<Record<keyof Draft, Fault>> {
  const { answers, deskMail, modelUrl, modelName, modelKey, pageUrl, pageSecret } = draft;
  const faults: Partial<Record<keyof Draft, Fault>> = {};
  if (deskMail !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(deskMail)) faults.deskMail = 'mail';
  if ((answers === 'model' || modelUrl !== '') && !isUrl(modelUrl)) faults.modelUrl = 'url';
  if (answers === 'model' && modelName.trim() === '') faults.modelName = 'name';
  if (!isSecret(modelKey)) faults.modelKey = 'letters';
  if ((answers === 'page' || pageUrl !== '') && !isUrl(pageUrl)) faults.pageUrl = 'url';
  if (!isSecret(pageSecret)) faults.pageSecret = 'letters';
  const isNeeded = answers === 'page' && !hasSecret;
  if ((isNeeded || pageSecret !== '') && pageSecret.length < SHORTEST_SECRET) faults.pageSecret = 'secret';
  return faults;
}
