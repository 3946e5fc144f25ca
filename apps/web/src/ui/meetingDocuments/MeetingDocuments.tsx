import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { documentPath } from '../../lib/paths.ts';
import { formatTime } from '../../lib/time.ts';
import { Button } from '../Button.tsx';
import { Icon } from '../icons.tsx';
import './documents.css';
import './texts.ts';

/** Longest title of a document; as in the contract. */
const TITLE = 120;

interface MeetingDocumentsProps {
  meetId: string;
  subject: string;
  /** The account stands for the meeting's host. */
  mayCreate: boolean;
  /** The level of its title on the page. */
  headingLevel?: 2 | 3;
}

/** Minutes and notices of a meeting. Nothing if there are none and the account may not write any. */
export function MeetingDocuments({ meetId, subject, mayCreate, headingLevel = 3 }: MeetingDocumentsProps) {
  const Heading = headingLevel === 2 ? 'h2' : 'h3';
  const t = useTexts('meetingDocuments');
  const list = useQuery({
    queryKey: ['documents', 'meeting', meetId],
    queryFn: () => api.documents.query({ query: { meetId, size: 50 } }),
    meta: { quiet: 'unloaded' },
  });
  const create = useNewMinutes(meetId, t('minutesOf', { subject }).slice(0, TITLE));
  const documents = list.data?.records ?? [];
  if (!mayCreate && !list.isError && documents.length === 0) return null;
  return (
    <section className="meeting-documents" data-testid="meeting-documents">
      <Heading>{t('title')}</Heading>
      {list.isError && <p role="alert">{t('failed')}</p>}
      {list.isSuccess && documents.length === 0 && <p>{t('none')}</p>}
      {documents.length > 0 && (
        <ul>
          {documents.map(({ id, title, kind, updatedBy, updatedAt }) => (
            <li key={id}>
              <Link to={documentPath(id)} data-testid="meeting-document">
                <Icon name="document" />
                <span>
                  {title}
                  <small>
                    {[t(`kind.${kind}`), t('changed', { name: updatedBy, time: formatTime(updatedAt) })].join(' · ')}
                  </small>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {mayCreate && (
        <Button busy={create.isPending} data-testid="meeting-document-new" onClick={() => create.mutate()}>
          {t('newMinutes')}
        </Button>
      )}
    </section>
  );
}

function useNewMinutes(meetId: string, title: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => api.documents.create({ body: { kind: 'minutes', title, meetId } }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['documents'] });
      await navigate(documentPath(id));
    },
  });
}
