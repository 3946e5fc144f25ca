export { S3_SKIPPED, s3Program, startS3, type S3Server } from '@rmeet/testkit';
