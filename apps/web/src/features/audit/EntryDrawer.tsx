import type { AuditEntry } from '@rmeet/contract';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { compare } from './compare.ts';
import { useAuditWords } from './words.ts';

interface EntryDrawerProps {
  entry: AuditEntry;
  open: boolean;
  onClose: () => void;
  onFilter: (filter: { actor: string } | { target: string }) => void;
}

/** One entry: actor, action, origin, and the values before and after. */
export function EntryDrawer({ entry, open, onClose, onFilter }: EntryDrawerProps) {
  const t = useTexts('audit');
  const words = useAuditWords();
  const { at, actor, client, address, action, target, tenantName, requestId } = entry;
  return (
    <SideDrawer
      title={t('entry.title')}
      open={open}
      onClose={onClose}
      testId="audit-entry"
      footer={
        <>
          {actor.id !== '' && (
            <Button data-testid="audit-only-actor" onClick={() => onFilter({ actor: actor.id })}>
              {t('entry.onlyActor')}
            </Button>
          )}
          {target.id !== '' && (
            <Button data-testid="audit-only-target" onClick={() => onFilter({ target: target.id })}>
              {t('entry.onlyTarget')}
            </Button>
          )}
        </>
      }
    >
      {/* Nothing inside can take the focus, so the container does, to be scrollable by keyboard. */}
      <div className="audit-entry" tabIndex={0} role="region" aria-label={t('entry.title')}>
        <h2>{words.action(action)}</h2>
        <dl>
          <DetailEntry name={t('entry.at')}>{words.time(at)}</DetailEntry>
          <DetailEntry name={t('entry.actor')}>
            {withKind(words.actor(actor), t(`actorKind.${actor.kind}`))}
          </DetailEntry>
          {client && <DetailEntry name={t('entry.client')}>{client.name}</DetailEntry>}
          {address !== '' && <DetailEntry name={t('entry.address')}>{address}</DetailEntry>}
          <DetailEntry name={t('entry.target')}>
            {withKind(words.target(target), words.targetKind(target.kind))}
          </DetailEntry>
          <DetailEntry name={t('entry.tenant')}>{tenantName}</DetailEntry>
          {requestId !== '' && <DetailEntry name={t('entry.requestId')}>{requestId}</DetailEntry>}
        </dl>
        <h3 id="audit-changes">{t('entry.changes')}</h3>
        <Comparison entry={entry} />
      </div>
    </SideDrawer>
  );
}

/** Omits the kind if the name is the same. */
function withKind(name: string, kind: string): string {
  return name === kind ? name : `${name} (${kind})`;
}

function Comparison({ entry: { before, after } }: { entry: AuditEntry }) {
  const t = useTexts('audit');
  const words = useAuditWords();
  const differences = compare(before, after);
  if (differences.length === 0) return <p className="audit-none">{t('entry.noChanges')}</p>;
  return (
    <table className="audit-changes" aria-labelledby="audit-changes" data-testid="audit-changes">
      <thead>
        <tr>
          <th scope="col">{t('entry.field')}</th>
          {before && <th scope="col">{t('entry.before')}</th>}
          {after && <th scope="col">{t('entry.after')}</th>}
        </tr>
      </thead>
      <tbody>
        {differences.map((one) => (
          <tr key={one.path.join('.')}>
            <th scope="row">{words.field(one.path)}</th>
            {before && <td data-side={after ? 'before' : undefined}>{words.value(one.before)}</td>}
            {after && <td data-side={before ? 'after' : undefined}>{words.value(one.after)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DetailEntry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
