import { USER_COLUMNS, USER_IMPORT_ROWS } from '@rmeet/contract';
import { startServer, until } from '@rmeet/testkit';
import { workbookOf } from '../apps/server/test/modules/support/workbooks.ts';
import type { Benchmark } from './report.ts';

const LONGEST = 60 * 60_000;

const rowOf = (n: number): string[] => [
  `import.${n}`,
  `导入人员 ${n}`,
  `139${String(n).padStart(8, '0')}`,
  `import.${n}@example.org`,
  `医院/科室 ${n % 100}`,
  '',
  'zh-CN',
];

/** An Excel workbook of 10,000 new people: checked, imported with first passwords, and checked again. */
const userImport: Benchmark = async (report) => {
  const server = await startServer();
  try {
    const { userTasks } = await server.api.as('admin');
    const file = await workbookOf([[...USER_COLUMNS], ...Array.from({ length: USER_IMPORT_ROWS }, (_, n) => rowOf(n))]);
    const check = async (figure: string) => {
      const started = performance.now();
      const task = await userTasks.import({ body: { file, name: 'people.xlsx' } });
      report({ case: `${USER_IMPORT_ROWS} rows`, figure, value: (performance.now() - started) / 1_000, unit: 's' });
      return task;
    };
    const { id } = await check('checked in');
    const started = performance.now();
    await userTasks.start({ params: { id }, body: { firstAccess: 'password' } });
    const read = () => userTasks.read({ params: { id }, query: {} });
    await until('the import ends', async () => (await read()).state === 'done', { within: LONGEST, every: 1_000 });
    const seconds = (performance.now() - started) / 1_000;
    report({ case: `${USER_IMPORT_ROWS} rows`, figure: 'imported in', value: seconds, unit: 's' });
    const { created } = (await read()).counts;
    const { counts } = await check('checked again in');
    return (
      `${created} people are imported in ${seconds.toFixed(0)} s; ` +
      `of the same sheet, ${counts.same} rows are then unchanged.`
    );
  } finally {
    await server.stop();
  }
};
export default userImport;
