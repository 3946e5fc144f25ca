import type { NoticeText } from '@rmeet/contract';
import { useAddressParams } from '../../../lib/addressParams.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { AdminPage } from '../../../ui/admin/AdminPage.tsx';
import { Button } from '../../../ui/Button.tsx';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { useNoticeTexts } from './queries.ts';
import { SettingsSection } from './SettingsSection.tsx';
import { TextDrawer } from './TextDrawer.tsx';
import '../texts.ts';
import './templates.css';

const OPEN = 'open';

function keyOf({ kind, channel, locale }: Pick<NoticeText, 'kind' | 'channel' | 'locale'>): string {
  return `${kind}.${channel}.${locale}`;
}

/** Texts of notices, reminder times, and the gateway for text messages. The open text is in the URL. */
export function NoticeTextsPage() {
  const t = useTexts('notices');
  const [params, setParams] = useAddressParams();
  const found = useNoticeTexts();
  const open = (key: string | null) =>
    setParams((now) => {
      const next = new URLSearchParams(now);
      if (key === null) next.delete(OPEN);
      else next.set(OPEN, key);
      return next;
    });
  const opened = found.data?.find((text) => keyOf(text) === params.get(OPEN));

  const columns = useColumns((text) => open(keyOf(text)));
  return (
    <AdminPage title={t('title')}>
      {found.isError && !found.data ? (
        <ErrorState retry={() => void found.refetch()} />
      ) : (
        <DataTable
          label={t('title')}
          columns={columns}
          rows={found.data ?? []}
          rowKey={keyOf}
          rowTestId="notice-text"
          skeletonRows={found.isPending ? 8 : 0}
        />
      )}
      <SettingsSection />
      {opened && <TextDrawer key={keyOf(opened)} text={opened} title={nameOf(opened, t)} onClose={() => open(null)} />}
    </AdminPage>
  );
}

function useColumns(onEdit: (text: NoticeText) => void): Column<NoticeText>[] {
  const t = useTexts('notices');
  return [
    { key: 'kind', label: t('column.kind'), width: '160px', heading: true, render: ({ kind }) => t(`kind.${kind}`) },
    { key: 'channel', label: t('column.channel'), width: '130px', render: ({ channel }) => t(`channel.${channel}`) },
    { key: 'locale', label: t('column.locale'), width: '110px', render: ({ locale }) => t(`locale.${locale}`) },
    {
      key: 'text',
      label: t('column.text'),
      wideOnly: true,
      render: ({ subject, text }) => <span className="notice-text-start">{subject === '' ? text : subject}</span>,
    },
    {
      key: 'source',
      label: t('column.source'),
      width: '110px',
      render: ({ isBuiltIn }) => t(isBuiltIn ? 'builtIn' : 'own'),
    },
    {
      key: 'actions',
      label: t('column.actions'),
      width: '110px',
      unlabelled: true,
      render: (text) => (
        <Button
          aria-label={t('editOf', { text: nameOf(text, t) })}
          data-testid="notice-text-edit"
          onClick={() => onEdit(text)}
        >
          {t('edit')}
        </Button>
      ),
    },
  ];
}

function nameOf({ kind, channel, locale }: NoticeText, t: ReturnType<typeof useTexts<'notices'>>): string {
  return t('name', { kind: t(`kind.${kind}`), channel: t(`channel.${channel}`), locale: t(`locale.${locale}`) });
}
