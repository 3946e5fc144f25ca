import type { DeskLink } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { copyText } from '../../../../lib/clipboard.ts';
import { formatTime } from '../../../../lib/time.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Select } from '../../../../ui/Select.tsx';
import { ErrorState, Loading } from '../../../../ui/states.tsx';
import { useDesk, useDeskPart } from '../context.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { useT } from '../texts.tsx';

const KINDS = ['chair', 'viewer', 'status'] as const;
type Kind = (typeof KINDS)[number];
const HOURS = [1, 8, 24, 168] as const;
const HOUR = 3_600_000;

/** Links that open this desk, or the status wall, without an account: create, copy, revoke. */
// oxlint-disable-next-line max-lines-per-function -- A short form and the states of one list: plain JSX.
export function LinksDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const desk = useDesk();
  const client = useQueryClient();
  const numericId = useDeskPart(({ state }) => state.numericId);
  const { meetId } = desk;
  const [kind, setKind] = useState<Kind>('viewer');
  const [hours, setHours] = useState<number>(24);
  const key = ['desk-links', meetId];
  const links = useQuery({
    queryKey: key,
    queryFn: () => desk.api.links({ params: { meetId } }),
    meta: { quiet: 'unloaded' },
  });
  const refresh = () => client.invalidateQueries({ queryKey: key });
  const make = useMutation({
    mutationFn: () =>
      kind === 'status'
        ? desk.api.monitorUrl({ query: { numericId } })
        : desk.api.manageUrl({ params: { a: meetId, b: kind }, query: { timestamp: Date.now() + hours * HOUR } }),
    onSuccess: refresh,
  });

  return (
    <Dialog wide title={t('links.title')} testId="desk-links" onClose={onClose}>
      <p className="dialog-text">{t('links.text')}</p>
      <form
        className="desk-links-form"
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <Select
          label={t('links.kind')}
          value={kind}
          data-testid="desk-link-kind"
          options={KINDS.map((value) => ({ value, label: t(`links.kinds.${value}`) }))}
          onChange={(value) => {
            setKind(value as Kind);
            make.reset();
          }}
        />
        {kind !== 'status' && (
          <Select
            label={t('links.valid')}
            value={String(hours)}
            options={HOURS.map((value) => ({ value: String(value), label: t(`links.hours.${value}`) }))}
            onChange={(value) => setHours(Number(value))}
          />
        )}
        <Button kind="primary" type="submit" busy={make.isPending} data-testid="desk-link-make">
          {t('links.make')}
        </Button>
      </form>
      {make.data && <CreatedLink url={make.data.url} />}
      {links.isPending && <Loading />}
      {links.isError && <ErrorState retry={() => void links.refetch()} />}
      {links.data?.length === 0 && <p className="desk-nothing">{t('links.empty')}</p>}
      {links.data !== undefined && links.data.length > 0 && (
        <ul className="desk-links">
          {links.data.map((link) => (
            <LinkRow key={link.id} link={link} now={links.dataUpdatedAt} onRevoked={refresh} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

/** A new link, which is shown only once. */
function CreatedLink({ url }: { url: string }) {
  const t = useT();
  return (
    <div className="desk-link-made" role="status">
      <p>{t('links.once')}</p>
      <div>
        <input
          readOnly
          value={url}
          aria-label={t('links.url')}
          data-testid="desk-link-url"
          onFocus={(event) => event.target.select()}
        />
        <Button data-testid="desk-link-copy" onClick={() => void copyText(url)}>
          {t('links.copy')}
        </Button>
      </div>
    </div>
  );
}

function LinkRow({ link, now, onRevoked }: { link: DeskLink; now: number; onRevoked: () => Promise<void> }) {
  const t = useT();
  const { api, meetId } = useDesk();
  const revoke = useMutation({
    mutationFn: () => api.revokeLink({ params: { meetId, id: link.id } }),
    onSuccess: onRevoked,
  });
  const { id, part, scope, createdBy, createdAt, expiresAt, revokedAt, lastUsedAt } = link;
  const isOver = Date.parse(expiresAt) <= now;
  const isOpen = revokedAt === null && !isOver;
  return (
    <li data-testid={`desk-link-${id}`}>
      <div className="desk-person">
        <strong>{t(`links.kinds.${scope === 'status' ? 'status' : part}`)}</strong>
        <small>{t('links.made', { name: createdBy, time: formatTime(createdAt) })}</small>
        <small>{lastUsedAt === null ? t('links.unused') : t('links.used', { time: formatTime(lastUsedAt) })}</small>
      </div>
      <span className={isOpen ? '' : 'desk-link-over'}>
        {revokedAt === null
          ? t(isOver ? 'links.expired' : 'links.until', { time: formatTime(expiresAt) })
          : t('links.revoked')}
      </span>
      {isOpen && (
        <Button kind="quiet" busy={revoke.isPending} data-testid="desk-link-revoke" onClick={() => revoke.mutate()}>
          {t('links.revoke')}
        </Button>
      )}
    </li>
  );
}
