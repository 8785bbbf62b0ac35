export { compileCheck, compileParse } from './compile.ts';
export { type Complaint, complaint, type Parsed, type Refused, refused } from './complaint.ts';
export { compileRequest, type RawRequest, type RequestOf } from './request.ts';
export { coerceQuery, dropEmptyOptionals } from './tidy.ts';
