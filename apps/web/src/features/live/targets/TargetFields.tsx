import { PUSH_PROVIDERS, type BroadcastPushTarget } from '@rmeet/contract';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import type { TargetDraft, TargetErrors } from './draft.ts';
import { useT } from './texts.ts';

interface TargetFieldsProps {
  number: number;
  draft: TargetDraft;
  /** As it is stored; undefined for a new one. */
  now: BroadcastPushTarget | undefined;
  errors: TargetErrors;
  /** It can only be looked at. */
  isLocked: boolean;
  onChange: (part: Partial<TargetDraft>) => void;
  onRemove: () => void;
}

/** One push address with its state. */
export function TargetFields({ number, draft, now, errors, isLocked, onChange, onRemove }: TargetFieldsProps) {
  const t = useT();
  return (
    <fieldset className="live-target" disabled={isLocked} data-testid="target" aria-label={t('target', { number })}>
      <header>
        <strong>{draft.name.trim() || t('target', { number })}</strong>
        {now && <TargetState target={now} />}
        {!isLocked && (
          <IconButton
            icon="close"
            label={t('remove', { name: draft.name.trim() || t('target', { number }) })}
            data-testid="target-remove"
            onClick={onRemove}
          />
        )}
      </header>
      <div className="live-target-fields">
        <TextField
          label={t('name')}
          value={draft.name}
          maxLength={60}
          error={errors.name && t(errors.name)}
          data-testid="target-name"
          onChange={({ target }) => onChange({ name: target.value })}
        />
        <label className="live-target-provider">
          <span>{t('provider.label')}</span>
          <Select
            label={t('provider.label')}
            value={draft.provider}
            options={PUSH_PROVIDERS.map((value) => ({ value, label: t(`provider.${value}`) }))}
            data-testid="target-provider"
            onChange={(value) => onChange({ provider: PUSH_PROVIDERS.find((one) => one === value) ?? 'rtmp' })}
          />
        </label>
        <AddressFields draft={draft} errors={errors} onChange={onChange} />
      </div>
    </fieldset>
  );
}

/** Where to, and how it is signed. */
function AddressFields({ draft, errors, onChange }: Pick<TargetFieldsProps, 'draft' | 'errors' | 'onChange'>) {
  const t = useT();
  const isSigned = draft.provider !== 'rtmp';
  return (
    <>
      <TextField
        className="live-target-wide"
        label={t('address')}
        value={draft.address}
        maxLength={1_000}
        autoComplete="off"
        spellCheck={false}
        error={errors.address && t(errors.address)}
        hint={t(isSigned ? 'addressHintSigned' : 'addressHint')}
        data-testid="target-address"
        onChange={({ target }) => onChange({ address: target.value })}
      />
      {isSigned && (
        <TextField
          className="live-target-wide"
          type="password"
          label={t('key')}
          value={draft.key}
          maxLength={200}
          autoComplete="new-password"
          error={errors.key && t(errors.key)}
          hint={draft.hasKey ? t('keyKept') : undefined}
          data-testid="target-key"
          onChange={({ target }) => onChange({ key: target.value })}
        />
      )}
      <TextField
        className="live-target-wide"
        label={t('watch')}
        value={draft.play}
        maxLength={1_000}
        error={errors.play && t(errors.play)}
        data-testid="target-play"
        onChange={({ target }) => onChange({ play: target.value })}
      />
    </>
  );
}

/** How the push is now, and after a failure what the server said. */
function TargetState({ target: { state, reason } }: { target: BroadcastPushTarget }) {
  const t = useT();
  return (
    <span className="live-target-state" data-state={state} data-testid="target-state" role="status">
      {t(`state.${state}`)}
      {reason !== '' && <small>{reason}</small>}
    </span>
  );
}
