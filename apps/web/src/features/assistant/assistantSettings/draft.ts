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

const SHORTEST_SECRET = 16;

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

type Faults = Partial<Record<keyof Draft, Fault>>;

function modelFaults({ answers, modelUrl, modelName, modelKey }: Draft): Faults {
  const isUsed = answers === 'model';
  return {
    ...((isUsed || modelUrl !== '') && !isUrl(modelUrl) ? { modelUrl: 'url' as const } : {}),
    ...(isUsed && modelName.trim() === '' ? { modelName: 'name' as const } : {}),
    ...(isSecret(modelKey) ? {} : { modelKey: 'letters' as const }),
  };
}

function pageFaults({ answers, pageUrl, pageSecret }: Draft, hasSecret: boolean): Faults {
  const isUsed = answers === 'page';
  const isShort = (pageSecret !== '' || (isUsed && !hasSecret)) && pageSecret.length < SHORTEST_SECRET;
  return {
    ...((isUsed || pageUrl !== '') && !isUrl(pageUrl) ? { pageUrl: 'url' as const } : {}),
    ...(isSecret(pageSecret) ? {} : { pageSecret: 'letters' as const }),
    ...(isShort ? { pageSecret: 'secret' as const } : {}),
  };
}

/** What is wrong with a draft, before it is sent. `hasSecret`: one is stored for the outside page. */
export function faultsIn(draft: Draft, hasSecret: boolean): Faults {
  const isMail = draft.deskMail === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(draft.deskMail);
  return {
    ...modelFaults(draft),
    ...pageFaults(draft, hasSecret),
    ...(isMail ? {} : { deskMail: 'mail' as const }),
  };
}
