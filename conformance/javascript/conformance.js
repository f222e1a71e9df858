// A program under test for `./baza conformance node conformance/javascript/conformance.js`.

import { createInterface } from "node:readline";
import { answerLine } from "./answers.js";

for await (const line of createInterface({ input: process.stdin })) console.log(answerLine(line));
