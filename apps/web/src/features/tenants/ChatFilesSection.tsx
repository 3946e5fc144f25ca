import { CHAT_FILE_LIMITS, FILE_KINDS } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { NumberField } from '../../ui/admin/NumberField.tsx';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import type { OwnSectionProps } from './LookSection.tsx';

/** Files in the chats of the tenant's meetings: whether, how large, and of which kinds. */
export function ChatFilesSection({ draft, errors, onChange }: OwnSectionProps) {
  const t = useTexts('tenants');
  const { chatFiles, chatFileKinds } = draft;
  // What is wrong must be seen to be corrected, even if files are off.
  const isWrong = errors.chatFileMegabytes !== undefined || errors.chatFileKinds !== undefined;
  return (
    <fieldset>
      <legend>{t('chatFiles.title')}</legend>
      <p className="admin-form-hint">{t('chatFiles.hint')}</p>
      <SwitchField
        label={t('chatFiles.enabled')}
        checked={chatFiles}
        testId="chat-files"
        onChange={(enabled) => onChange({ chatFiles: enabled })}
      />
      {(chatFiles || isWrong) && (
        <>
          <div className="admin-form-row">
            <NumberField
              label={t('chatFiles.megabytes')}
              value={draft.chatFileMegabytes}
              required
              error={errors.chatFileMegabytes}
              hint={t('chatFiles.megabytesHint', CHAT_FILE_LIMITS.megabytes)}
              unit={t('chatFiles.unit')}
              testId="chat-file-megabytes"
              onChange={(chatFileMegabytes) => onChange({ chatFileMegabytes })}
            />
          </div>
          <div className="tenant-features" role="group" aria-label={t('chatFiles.kinds')}>
            {FILE_KINDS.map((kind) => (
              <SwitchField
                key={kind}
                label={t(`chatFiles.kind.${kind}`)}
                hint={t(`chatFiles.kindHint.${kind}`)}
                checked={chatFileKinds.includes(kind)}
                testId={`chat-file-kind-${kind}`}
                onChange={(allowed) =>
                  onChange({
                    chatFileKinds: FILE_KINDS.filter((one) => (one === kind ? allowed : chatFileKinds.includes(one))),
                  })
                }
              />
            ))}
          </div>
          {errors.chatFileKinds !== undefined && (
            <p className="form-field-error" role="alert">
              {errors.chatFileKinds}
            </p>
          )}
        </>
      )}
    </fieldset>
  );
}
