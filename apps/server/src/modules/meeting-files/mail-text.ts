import type { Locale } from '@rmeet/contract';

/** The mail to the sender of an infected file. */
export function infectedMail(locale: Locale, name: string, finding: string): { subject: string; text: string } {
  return locale === 'en'
    ? {
        subject: `A file that you uploaded contains a virus: ${name}`,
        text:
          `The virus scanner found ${finding} in the file ${name}, which you uploaded to a meeting. No one can ` +
          'download it. Delete it there, check your computer, and upload a clean file.\n',
      }
    : {
        subject: `您上传的文件含有病毒：${name}`,
        text: `病毒扫描程序在您上传到会议的文件“${name}”中发现了 ${finding}，任何人都不能下载该文件。请删除它，检查您的电脑，再上传干净的文件。\n`,
      };
}
