import { CONFERENCE_PARTS } from '@rmeet/conference';
import { decodeContact, type AssistantFact } from '@rmeet/contract';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';

type FactOf<K extends AssistantFact['kind']> = Extract<AssistantFact, { kind: K }>;

/** What holds for the caller's own account, in sentences. */
export function Facts({ facts }: { facts: readonly AssistantFact[] }) {
  const t = useTexts('assistantPage');
  const sentencesOf = useSentences();
  const sentences = facts.flatMap(sentencesOf);
  if (sentences.length === 0) return null;
  return (
    <div className="assistant-facts" data-testid="assistant-facts">
      <h2>{t('facts')}</h2>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}

function useSentences(): (fact: AssistantFact) => string[] {
  const t = useTexts('assistantPage');
  const language = useLanguage();
  const list = (words: readonly string[]): string => words.join(t('comma'));
  const typesOf = (types: FactOf<'types'>['may']): string => list(types.map((type) => t(`type.${type}`)));

  const approval = ({ all, types, vip, longerThan, morePeopleThan }: FactOf<'approval'>): string => {
    if (all) return t('fact.approvalAll');
    const which = [
      ...types.map((type) => t(`type.${type}`)),
      ...(vip ? [t('fact.vip')] : []),
      ...(longerThan === null ? [] : [t('fact.longerThan', { minutes: longerThan })]),
      ...(morePeopleThan === null ? [] : [t('fact.morePeopleThan', { people: morePeopleThan })]),
    ];
    return t('fact.approval', { which: list(which) });
  };

  const contacts = ({ meetingAdmin, serviceDesk }: FactOf<'contacts'>): string[] =>
    [meetingAdmin, serviceDesk].flatMap(({ name, phoneNumber }) => {
      const who = [name, decodeContact(phoneNumber)].filter((part) => part !== '').join(' ');
      return who === '' ? [] : [t('fact.contact', { who })];
    });

  return (fact) => {
    switch (fact.kind) {
      case 'types':
        return [
          ...(fact.may.length > 0 ? [t('fact.may', { types: typesOf(fact.may) })] : []),
          ...(fact.mayNot.length > 0 ? [t('fact.mayNot', { types: typesOf(fact.mayNot) })] : []),
        ];
      case 'resources':
        return [t(`fact.resources.${fact.state}`)];
      case 'longest':
        return [t('fact.longest', { minutes: fact.minutes })];
      case 'approval':
        return [approval(fact)];
      case 'rooms':
        return [fact.count === 0 ? t('fact.noRooms') : t('fact.rooms', { count: fact.count })];
      case 'admit':
        return [t('fact.admit', { parts: list(fact.parts.map((part) => CONFERENCE_PARTS[part][language])) })];
      case 'record':
        return [t(`fact.record.${fact.by}`)];
      case 'contacts':
        return contacts(fact);
    }
  };
}
