import { useQuery } from '@tanstack/react-query';
import { useEffect, useReducer, useRef } from 'react';
import { api, assistantApiWithTimeout, sentenceOf } from '../../../lib/api/index.ts';
import { session } from '../../../lib/browser.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState, Loading, MessagePage } from '../../../ui/states.tsx';
import { closeDrawer, isInDrawer } from './closeDrawer.ts';
import { afterEvent, EMPTY, turnsOf } from './conversation.ts';
import { DeskForm } from './DeskForm.tsx';
import { QuestionForm } from './QuestionForm.tsx';
import { TurnView } from './TurnView.tsx';
import './texts.ts';
import './assistantPage.css';

const EXAMPLES = ['book', 'admit', 'sound', 'record'] as const;

/** The page of the assistant, shown in the drawer: questions and answers. */
export function AssistantPage() {
  const t = useTexts('assistantPage');
  const about = useQuery({
    queryKey: ['assistant', 'about'],
    queryFn: () => api.assistant.about(),
    enabled: session.token !== null,
    meta: { quiet: true },
  });
  useEffect(() => {
    document.title = `${t('title')} · Rmeet`;
  }, [t]);
  useEffect(() => {
    const follow = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && isInDrawer()) closeDrawer();
    };
    window.addEventListener('keydown', follow);
    return () => window.removeEventListener('keydown', follow);
  }, []);

  if (session.token === null) return <MessagePage title={t('signedOut')} hint={t('signedOutHint')} />;
  if (about.data) return <Talk about={about.data} />;
  if (about.isPending) return <Loading />;
  const why = sentenceOf(about.error);
  return <ErrorState {...(why === undefined ? {} : { hint: why })} retry={() => void about.refetch()} />;
}

type About = Awaited<ReturnType<typeof api.assistant.about>>;

function Talk({ about }: { about: About }) {
  const t = useTexts('assistantPage');
  const { conversation, ask, noteTried } = useConversation();
  const { turns, tried } = conversation;
  const end = useRef<HTMLDivElement>(null);
  const last = turns.at(-1);
  const isAsking = last !== undefined && last.answer === null && last.trouble === '';

  useEffect(() => {
    if (turns.length > 0) end.current?.scrollIntoView({ block: 'end' });
  }, [turns]);

  return (
    <main className="assistant-page" aria-label={t('title')}>
      <h1 className="visually-hidden">{t('title')}</h1>
      <div className="assistant-scroll">
        <p className="assistant-lead">{t(about.hasModel ? 'leadModel' : 'lead')}</p>
        {turns.length === 0 && <Examples onAsk={ask} />}
        <div role="log" aria-label={t('log')} data-testid="assistant-log">
          {turns.map((turn) => (
            <TurnView key={turn.id} turn={turn} onTried={noteTried} />
          ))}
        </div>
        {turns.length > 0 && !isAsking && (
          <DeskForm key={turns.length} about={about} question={last?.question ?? ''} tried={tried} />
        )}
        <div ref={end} />
      </div>
      <QuestionForm isAsking={isAsking} onAsk={ask} />
    </main>
  );
}

/** The conversation, how a question is asked, and how an act is noted that was tried. */
function useConversation() {
  const t = useTexts('assistantPage');
  const [conversation, change] = useReducer(afterEvent, EMPTY);
  const nextId = useRef(0);

  const ask = (question: string) => {
    const id = (nextId.current += 1);
    change({ kind: 'asked', id, question });
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    assistantApiWithTimeout.ask({ body: { question, turns: turnsOf(conversation), timeZone } }).then(
      (answer) => change({ kind: 'answered', id, answer }),
      (error: unknown) => change({ kind: 'failed', id, trouble: sentenceOf(error) ?? t('failed') }),
    );
  };
  return { conversation, ask, noteTried: (what: string) => change({ kind: 'tried', what }) };
}

function Examples({ onAsk }: { onAsk: (question: string) => void }) {
  const t = useTexts('assistantPage');
  return (
    <section aria-label={t('examples')} className="assistant-examples">
      {EXAMPLES.map((name) => (
        <Button key={name} data-testid={`assistant-example-${name}`} onClick={() => onAsk(t(`example.${name}`))}>
          {t(`example.${name}`)}
        </Button>
      ))}
    </section>
  );
}
