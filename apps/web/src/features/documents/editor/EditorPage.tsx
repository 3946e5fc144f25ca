import { useEffect } from 'react';
import { Link, useParams } from 'react-router';
import { useTexts } from '../../../lib/i18n/index.ts';
import { DOCUMENTS } from '../../../lib/paths.ts';
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx';
import { useDocument } from '../queries.ts';
import { Editing } from './Editing.tsx';
import '../documents.css';
import '../texts.ts';
import './editor.css';

/** One document, in which several can write at once. */
export function EditorPage() {
  const t = useTexts('documents');
  const { id = '' } = useParams();
  const { data, error, isPending, refetch } = useDocument(id);
  const title = data?.title ?? t('title');
  useEffect(() => {
    document.title = `${title} · Rmeet`;
  }, [title]);
  const isGone = error !== null && 'code' in error && (error.code === 'NOT_FOUND' || error.code === 'INVALID_INPUT');
  const content = () => {
    if (isGone) return <EmptyState picture="list" title={t('gone')} hint={t('goneHint')} />;
    if (data) return <Editing key={id} detail={data} />;
    return isPending ? <Loading /> : <ErrorState retry={() => void refetch()} />;
  };
  return (
    <div className="document-page">
      <Link className="document-back" to={DOCUMENTS} data-testid="document-back">
        {t('back')}
      </Link>
      {content()}
    </div>
  );
}
