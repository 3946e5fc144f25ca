import { BROADCAST_ACCESS, BROADCAST_CHATS, BROADCAST_LIMITS } from '@rmeet/contract';
import { useId } from 'react';
import { SwitchField } from '../admin/SwitchField.tsx';
import { Button } from '../Button.tsx';
import { PersonSearch } from '../grants/PersonSearch.tsx';
import { Select } from '../Select.tsx';
import { TextField } from '../TextField.tsx';
import { slowChoices, type SettingDraft } from './setting.ts';
import { useT } from './texts.ts';
import './setting.css';

interface SettingFieldsProps {
  value: SettingDraft;
  /** The host, who need not be on the list of viewers. */
  hostId: string | undefined;
  /** It has a password already. */
  hasPassword: boolean;
  /** Of an outside stream: there is no meeting with people, and no recording. */
  isOutside?: boolean;
  /** Of the password. */
  error?: string | undefined;
  onChange: (change: Partial<SettingDraft>) => void;
}

const TALKS = ['questions', 'likes'] as const;
const PICTURES = ['watermark', 'replay'] as const;
const PICTURES_OUTSIDE = ['watermark'] as const;

/** How a broadcast can be watched: who may, how viewers take part, and what they see. */
export function SettingFields(props: SettingFieldsProps) {
  const t = useT();
  const { value, isOutside = false, onChange } = props;
  const switches = (names: readonly (typeof TALKS | typeof PICTURES)[number][]) =>
    names.map((name) => (
      <SwitchField
        key={name}
        label={t(name)}
        hint={t(`${name}Hint`)}
        checked={value[name]}
        testId={`live-${name}`}
        onChange={(checked) => onChange({ [name]: checked })}
      />
    ));
  return (
    <div className="live-setting">
      <Access {...props} />
      <fieldset>
        <legend>{t('talk')}</legend>
        <div className="live-setting-pair">
          <label>
            <span aria-hidden="true">{t('chat.label')}</span>
            <Select
              label={t('chat.label')}
              value={value.chat}
              options={BROADCAST_CHATS.map((chat) => ({ value: chat, label: t(`chat.${chat}`) }))}
              data-testid="live-chat"
              onChange={(chosen) => onChange({ chat: BROADCAST_CHATS.find((one) => one === chosen) ?? 'open' })}
            />
          </label>
          <label>
            <span aria-hidden="true">{t('slow.label')}</span>
            <Select
              label={t('slow.label')}
              value={String(value.slowSeconds)}
              options={slowChoices(value.slowSeconds).map((seconds) => ({
                value: String(seconds),
                label: seconds === 0 ? t('slow.none') : t('slow.every', { seconds }),
              }))}
              data-testid="live-slow"
              onChange={(seconds) => onChange({ slowSeconds: Number(seconds) })}
            />
          </label>
        </div>
        {switches(TALKS)}
        <Announcement value={value.announcement} onChange={(announcement) => onChange({ announcement })} />
      </fieldset>
      <fieldset>
        <legend>{t(isOutside ? 'pictureOutside' : 'picture')}</legend>
        {switches(isOutside ? PICTURES_OUTSIDE : PICTURES)}
      </fieldset>
    </div>
  );
}

/** Who may watch, with what that needs. */
function Access({ value, hostId, hasPassword, isOutside = false, error, onChange }: SettingFieldsProps) {
  const t = useT();
  const name = useId();
  return (
    <fieldset>
      <legend>{t('access.label')}</legend>
      <div className="live-access">
        {BROADCAST_ACCESS.map((access) => (
          <label key={access} data-testid={`live-access-${access}`}>
            <input
              type="radio"
              name={name}
              checked={value.access === access}
              aria-describedby={`${name}-${access}`}
              onChange={() => onChange({ access })}
            />
            <span>{t(`access.${access}`)}</span>
            <small id={`${name}-${access}`}>
              {t(access === 'whiteList' && isOutside ? 'access.whiteListHintOutside' : `access.${access}Hint`)}
            </small>
          </label>
        ))}
      </div>
      {value.access === 'password' && (
        <TextField
          label={t('password.label')}
          value={value.password}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          error={error}
          hint={t(hasPassword ? 'password.keep' : isOutside ? 'password.hintOutside' : 'password.hint')}
          data-testid="live-password"
          onChange={({ target }) => onChange({ password: target.value })}
        />
      )}
      {value.access === 'whiteList' && (
        <WhiteList
          value={value.whiteList}
          hostId={hostId}
          none={t(isOutside ? 'whiteList.noneOutside' : 'whiteList.none')}
          onChange={(whiteList) => onChange({ whiteList })}
        />
      )}
    </fieldset>
  );
}

interface WhiteListProps {
  value: SettingDraft['whiteList'];
  hostId: string | undefined;
  /** Shown while it is empty. */
  none: string;
  onChange: (people: SettingDraft['whiteList']) => void;
}

function WhiteList({ value, hostId, none, onChange }: WhiteListProps) {
  const t = useT();
  const label = useId();
  const without = new Set([...value.map(({ userId }) => userId), ...(hostId === undefined ? [] : [hostId])]);
  return (
    <div className="live-people">
      <span id={label}>{t('whiteList.label', { count: value.length })}</span>
      <PersonSearch
        labelledBy={label}
        without={without}
        disabled={value.length >= BROADCAST_LIMITS.whiteList}
        onPick={({ userId, name }) => onChange([...value, { userId, name }])}
      />
      {value.length === 0 ? (
        <p className="form-field-hint">{none}</p>
      ) : (
        <ul aria-labelledby={label} tabIndex={0}>
          {value.map(({ userId, name }) => (
            <li key={userId} data-testid="live-person">
              <span>{name}</span>
              <Button
                kind="quiet"
                aria-label={t('whiteList.removeOf', { name })}
                data-testid="live-person-remove"
                onClick={() => onChange(value.filter((one) => one.userId !== userId))}
              >
                {t('whiteList.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Announcement({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useT();
  const id = useId();
  return (
    <div className="live-announcement">
      <label htmlFor={id}>{t('announcement.label')}</label>
      <textarea
        id={id}
        value={value}
        rows={3}
        maxLength={BROADCAST_LIMITS.announcement}
        aria-describedby={`${id}-hint`}
        data-testid="live-announcement"
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={`${id}-hint`} className="form-field-hint">
        {t('announcement.hint')}
      </p>
    </div>
  );
}
