import type { RecordingShare } from '@rmeet/contract';
import { useState } from 'react';
import { copyText } from '../../../lib/clipboard.ts';
import { toast } from '../../../lib/notify.ts';
import { formatTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Select } from '../../../ui/Select.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useShareChanges, useShares } from '../queries.ts';
import { useT } from '../texts.ts';
import { RecordingDialog, type RecordingDialogProps } from './RecordingDialog.tsx';

/** Days that a link can be made for; 0: without an end. */
const DAYS = [1, 7, 30, 0] as const;
const DAY = 86_400_000;

/** Makes links that open a recording without sign-in, and ends them. */
export function ShareDialog({ recording, onClose }: RecordingDialogProps) {
  const t = useT();
  const [link, setLink] = useState<string | null>(null);
  return (
    <RecordingDialog title={t('share.title')} testId="share-dialog" onClose={onClose}>
      <p className="recording-lead">{t('share.lead', { subject: recording.subject })}</p>
      {link === null ? (
        <NewLink id={recording.id} onMade={setLink} />
      ) : (
        <div className="share-made" data-testid="share-made">
          <p role="status">{t('share.once')}</p>
          <input
            readOnly
            value={link}
            aria-label={t('share.link')}
            data-testid="share-link"
            onFocus={(e) => e.target.select()}
          />
          <div className="recording-buttons">
            <Button data-testid="share-another" onClick={() => setLink(null)}>
              {t('share.another')}
            </Button>
            <Button
              kind="primary"
              data-testid="share-copy"
              onClick={() => void copyText(link, () => t('share.copied'))}
            >
              <Icon name="copy" size={16} />
              {t('share.copy')}
            </Button>
          </div>
        </div>
      )}
      <Links id={recording.id} />
    </RecordingDialog>
  );
}

// oxlint-disable-next-line max-lines-per-function -- plain JSX of one form
function NewLink({ id, onMade }: { id: string; onMade: (link: string) => void }) {
  const t = useT();
  const { create } = useShareChanges(id);
  const [days, setDays] = useState<number>(7);
  const [password, setPassword] = useState('');
  const [views, setViews] = useState('');
  const [download, setDownload] = useState(false);
  const [watermark, setWatermark] = useState(true);
  const maxViews = views === '' ? null : Number(views);
  const isWrong = maxViews !== null && !(Number.isInteger(maxViews) && maxViews >= 1 && maxViews <= 100_000);
  const make = () => {
    if (isWrong) return;
    const expiresAt = days === 0 ? null : new Date(Date.now() + days * DAY).toISOString();
    create.mutate({ expiresAt, password, maxViews, download, watermark }, { onSuccess: ({ link }) => onMade(link) });
  };
  return (
    <form
      className="recording-form"
      onSubmit={(event) => {
        event.preventDefault();
        make();
      }}
    >
      <div className="share-fields">
        <label className="recording-field">
          <span>{t('share.expiry')}</span>
          <Select
            label={t('share.expiry')}
            value={String(days)}
            options={DAYS.map((one) => ({
              value: String(one),
              label: one === 0 ? t('share.never') : t('share.days', { count: one }),
            }))}
            onChange={(value) => setDays(Number(value))}
            data-testid="share-expiry"
          />
        </label>
        <TextField
          label={t('share.password')}
          placeholder={t('share.none')}
          value={password}
          maxLength={64}
          autoComplete="off"
          data-testid="share-password"
          onChange={(event) => setPassword(event.target.value)}
        />
        <TextField
          label={t('share.views')}
          placeholder={t('share.unlimited')}
          inputMode="numeric"
          value={views}
          maxLength={6}
          error={isWrong ? t('share.viewsWrong') : undefined}
          data-testid="share-views"
          onChange={(event) => setViews(event.target.value)}
        />
      </div>
      <Check
        label={t('share.watermark')}
        hint={t('share.watermarkHint')}
        isOn={watermark}
        onChange={setWatermark}
        testId="share-watermark"
      />
      <Check
        label={t('share.download')}
        hint={t('share.downloadHint')}
        isOn={download}
        onChange={setDownload}
        testId="share-download"
      />
      <div className="recording-buttons">
        <Button
          kind="primary"
          type="submit"
          busy={create.isPending}
          disabled={isWrong}
          data-testid="share-create"
          data-focus
        >
          {t('share.create')}
        </Button>
      </div>
    </form>
  );
}

interface CheckProps {
  label: string;
  hint: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  testId: string;
}

function Check({ label, hint, isOn, onChange, testId }: CheckProps) {
  return (
    <label className="recording-check">
      <input type="checkbox" checked={isOn} data-testid={testId} onChange={({ target }) => onChange(target.checked)} />
      <span>
        {label}
        <small>{hint}</small>
      </span>
    </label>
  );
}

/** The links that work now. */
function Links({ id }: { id: string }) {
  const t = useT();
  const shares = useShares(id);
  const { revoke } = useShareChanges(id);
  // Most recordings have none: the dialog would shrink again.
  if (shares.isPending) return null;
  if (shares.data === undefined) return <ErrorState retry={() => void shares.refetch()} />;
  const { records } = shares.data;
  if (records.length === 0) return null;
  return (
    <section className="share-links" aria-label={t('share.links')}>
      <h3>{t('share.links')}</h3>
      <ul>
        {records.map((share) => (
          <li key={share.id} data-testid="share-row">
            <LinkWords share={share} />
            <Button
              kind="quiet"
              busy={revoke.isPending && revoke.variables === share.id}
              aria-label={t('share.revokeOf', { time: formatTime(share.createdAt) })}
              data-testid="share-revoke"
              onClick={() => revoke.mutate(share.id, { onSuccess: () => toast('success', () => t('share.revoked')) })}
            >
              {t('share.revoke')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function LinkWords({ share }: { share: RecordingShare }) {
  const t = useT();
  const { createdAt, createdBy, expiresAt, hasPassword, views, maxViews, download, watermark } = share;
  const facts = [
    expiresAt === null ? t('share.never') : t('share.until', { time: formatTime(expiresAt) }),
    maxViews === null ? t('share.seen', { count: views }) : t('share.seenOf', { count: views, most: maxViews }),
    ...(hasPassword ? [t('share.hasPassword')] : []),
    ...(watermark ? [t('share.hasWatermark')] : []),
    ...(download ? [t('share.hasDownload')] : []),
  ];
  return (
    <span>
      {t('share.made', { time: formatTime(createdAt), name: createdBy })}
      <small>{facts.join(' · ')}</small>
    </span>
  );
}
