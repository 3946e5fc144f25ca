import type { AssistantAnswer, AssistantFile, AssistantPassage } from '@rmeet/contract';
import { useTexts } from '../../../lib/i18n/index.ts';
import type { Turn } from './conversation.ts';
import { Facts } from './Facts.tsx';
import { Proposals } from './Proposals.tsx';

/** One question with its answer. */
export function TurnView({ turn, onTried }: { turn: Turn; onTried: (what: string) => void }) {
  const t = useTexts('assistantPage');
  const { question, answer, trouble } = turn;
  return (
    <div className="assistant-turn" data-testid="assistant-turn">
      <p className="assistant-asked">
        <span className="visually-hidden">{t('you')}</span>
        {question}
      </p>
      {answer !== null && <Answer answer={answer} onTried={onTried} />}
      {answer === null && trouble === '' && (
        <p className="assistant-waiting" role="status">
          {t('asking')}
        </p>
      )}
      {trouble !== '' && (
        <p className="assistant-fault" role="alert" data-testid="assistant-trouble">
          {trouble}
        </p>
      )}
    </div>
  );
}

function Answer({ answer, onTried }: { answer: AssistantAnswer; onTried: (what: string) => void }) {
  const t = useTexts('assistantPage');
  const { by, text, passages, files, facts, proposals, modelFailed } = answer;
  const [first, ...others] = passages;
  const isEmpty = text === '' && [passages, facts, files].every((list) => list.length === 0);
  return (
    <div className="assistant-answer" data-testid="assistant-answer">
      {modelFailed && <p className="assistant-note">{t('modelFailed')}</p>}
      {isEmpty && <p data-testid="assistant-nothing">{t('nothing')}</p>}
      {text !== '' && <p className="assistant-text">{text}</p>}
      {by === 'manual' && first && <Passage passage={first} />}
      {files.length > 0 && <Files files={files} />}
      <Facts facts={facts} />
      {proposals.length > 0 && <Proposals proposals={proposals} onTried={onTried} />}
      {by === 'model' && passages.length > 0 && <Sources title={t('sources')} passages={passages} />}
      {by === 'manual' && others.length > 0 && <Sources title={t('more')} passages={others} />}
    </div>
  );
}

/** A passage of the manual in full. */
function Passage({ passage }: { passage: AssistantPassage }) {
  return (
    <div className="assistant-passage" data-testid="assistant-passage">
      <h2>
        <ManualLink passage={passage} />
      </h2>
      {passage.text.split('\n').map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}

/** Characters of a file that are shown. */
const SHOWN = 400;
const shortened = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

/** Files of the caller's meetings, with what fits: text by other people, shown as text. */
function Files({ files }: { files: readonly AssistantFile[] }) {
  const t = useTexts('assistantPage');
  return (
    <div className="assistant-files" data-testid="assistant-files">
      <h2>{t('files')}</h2>
      <ul>
        {files.map(({ id, name, folder, subject, text }) => (
          <li key={id} data-testid="assistant-file">
            {folder === '' ? name : `${folder}/${name}`}
            <span className="assistant-page-title">{subject}</span>
            {text !== '' && <blockquote>{shortened(text)}</blockquote>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Sources({ title, passages }: { title: string; passages: readonly AssistantPassage[] }) {
  return (
    <div className="assistant-sources" data-testid="assistant-sources">
      <h2>{title}</h2>
      <ul>
        {passages.map((passage) => (
          <li key={passage.address}>
            <ManualLink passage={passage} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function ManualLink({ passage: { address, title, pageTitle } }: { passage: AssistantPassage }) {
  const t = useTexts('assistantPage');
  return (
    <>
      <a href={address} target="_blank" rel="noreferrer" data-testid="assistant-source">
        {title}
        <span className="visually-hidden"> {t('newTab')}</span>
      </a>
      <span className="assistant-page-title">{pageTitle}</span>
    </>
  );
}
