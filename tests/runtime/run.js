// ONNX Runtime behind a pipe. A line of stdin is one job as JSON: {"model", "input", "shape", "type", "output"}, the
// input as raw numbers in a file. The answer is a line of JSON: {"shape", "type"}, with the first output of floats in the
// file `output`, or {"error"}. Sessions are kept, so that many runs of one model load it once.
const fs = require("fs");
const readline = require("readline");
const ort = require("onnxruntime-node");

const arrays = { float32: Float32Array, float64: Float64Array };
let last = { key: null, session: null };

async function open(model) {
  const file = fs.statSync(model);
  const key = [model, file.ino, file.mtimeMs, file.size].join(" ");
  if (last.key !== key) {
    if (last.session) await last.session.release();
    last = { key, session: await ort.InferenceSession.create(model, { logSeverityLevel: 3, intraOpNumThreads: 1 }) };
  }
  return last.session;
}

async function run(job) {
  const session = await open(job.model);
  const bytes = fs.readFileSync(job.input);
  const numbers = new arrays[job.type](bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const answers = await session.run({ [session.inputNames[0]]: new ort.Tensor(job.type, numbers, job.shape) });
  for (const name of session.outputNames) {
    const y = answers[name];
    if (y.type in arrays) {
      fs.writeFileSync(job.output, Buffer.from(y.data.buffer, y.data.byteOffset, y.data.byteLength));
      return { shape: y.dims, type: y.type, inputs: session.inputNames, outputs: session.outputNames };
    }
  }
  return { error: "no output of floats" };
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const answer = await run(JSON.parse(line)).catch((error) => ({ error: String(error.message || error) }));
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
}

main();
