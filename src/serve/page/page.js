"use strict";
/* Texts of others are set as text, never as markup. */
const find = (name) => document.getElementById(name);
const share = (x) => (100 * x).toFixed(1) + "%";
const date = (seconds) => (seconds === null ? "" : new Date(1000 * seconds).toLocaleString([], { dateStyle: "short", timeStyle: "short" }));
const plural = (n, word) => n + " " + word + (n === 1 ? "" : "s");
const KEY = "token";
let account = null;

const headers = () => (find("token").value ? { Authorization: "Bearer " + find("token").value.trim() } : {});

async function get(path) {
  const response = await fetch(path, { headers: headers() });
  const reply = await response.json();
  if (!response.ok) throw new Error(reply.error);
  return reply;
}

function addRow(body, cells, numbers) {
  const row = body.insertRow();
  cells.forEach((text, i) => {
    const cell = row.insertCell();
    cell.textContent = text;
    if (numbers.includes(i)) cell.className = "number";
  });
  return row;
}

function fill(name, rows, numbers) {
  const body = find(name).tBodies[0];
  body.replaceChildren();
  return rows.map((cells) => addRow(body, cells, numbers));
}

function list(name, facts) {
  const pairs = facts.filter((fact) => fact[1] !== null).flatMap(([key, text]) => {
    const term = document.createElement("dt"), value = document.createElement("dd");
    term.textContent = key;
    value.textContent = text;
    return [term, value];
  });
  find(name).replaceChildren(...pairs);
  find(name).hidden = pairs.length === 0;
}

async function showPlaces() {
  const none = find("places-none");
  try {
    const places = (await get("v1/leaderboard")).leaderboard;
    const score = (p) => (p.time === null ? "baseline, " + p.score : p.score); /* no level was reached */
    const rows = places.map((p) => [p.place, p.account, score(p), p.submissions, date(p.time)]);
    fill("places", rows, [2, 3]).forEach((row, i) => {
      if (account && places[i].account === account.account) row.className = "own";
    });
    find("places").hidden = places.length === 0;
    none.textContent = places.length === 0 ? "Nobody has submitted yet." : "";
  } catch (error) {
    find("places").hidden = true;
    none.textContent = error.message;
  }
}

function showLeft(left, spent) {
  const count = (n) => (n === null ? null : plural(n, "submission"));
  list("left", [
    ["Left today", count(left.today)],
    ["Left for you", count(left.account)],
    ["Left for all", count(left.all)],
    ["Spent by all", spent.budget === null ? spent.bits.toFixed(2) + " bits" : spent.bits.toFixed(2) + " of " + spent.budget.toFixed(2) + " bits"],
  ]);
}

async function readLedger() {
  const first = await get("v1/ledger");
  const entries = first.entries;
  for (let after = first.more_after; after !== null && entries.length < 100000;) {
    const next = await get("v1/ledger?after=" + after);
    entries.push(...next.entries);
    after = next.more_after;
  }
  return { ...first, entries };
}

function sumAccounts(entries) {
  const sums = new Map();
  for (const e of entries) {
    const sum = sums.get(e.account) || { count: 0, invalid: 0, improved: 0, since: 0, bits: 0, score: "" };
    const improves = e.score !== null && e.score !== sum.score && sum.score !== "";
    sum.improved += improves ? 1 : 0;
    sum.since = improves || sum.score === "" ? 0 : sum.since + 1;
    sum.count++;
    sum.invalid += e.outcome === "invalid" ? 1 : 0;
    sum.score = e.score === null ? sum.score : e.score;
    sum.bits += e.charged;
    sums.set(e.account, sum);
  }
  return [...sums].sort((a, b) => b[1].bits - a[1].bits);
}

/* What the ledger alone can say: it has digests, not submissions. Reasons to look, no accusation. */
function lookAt(sum, all, accounts) {
  const reasons = [];
  if (sum.invalid >= 5 && 2 * sum.invalid >= sum.count) reasons.push("half of its submissions are invalid");
  if (sum.since >= 20) reasons.push(sum.since + " submissions since it last improved");
  if (accounts > 2 && sum.count >= 10 && 2 * sum.bits > all) reasons.push("more than half of all bits");
  return reasons.join("; ");
}

async function showHost() {
  const ledger = await readLedger();
  const spent = ledger.spent;
  find("bits").value = spent.budget ? spent.bits / spent.budget : 0;
  find("bits-text").textContent = spent.bits.toFixed(2) + (spent.budget === null ? " bits, without a budget" : " of " + spent.budget.toFixed(2) + " bits");
  list("facts", [
    ["Promised", "no method gets more than " + share(ledger.share.promised) + " of the labels right on average; guessing gets " + share(ledger.share.guess)],
    ["Spent so far", "a promise of as many bits would be " + share(ledger.share.spent)],
    ["Best known attack so far", ledger.attack ? "about " + share(ledger.attack.share) + " of the labels right, with " + plural(ledger.attack.submissions, "submission") + " by " + plural(ledger.attack.accounts, "account") + " that attack together, on simulated labels" : "not known"],
    ["Entries", ledger.submissions + ", " + ledger.invalid + " of them invalid; " + plural(ledger.improvements, "improvement") + " shown"],
    ["Labels in the ledger", ledger.encrypted ? "encrypted" : "not encrypted"],
    ["Head of the ledger", ledger.head + " (keep it elsewhere)"],
  ]);
  const sums = sumAccounts(ledger.entries), all = sums.reduce((bits, [, s]) => bits + s.bits, 0);
  fill("accounts", sums.map(([name, s]) => [name, s.count, s.invalid, s.improved, s.score, s.bits.toFixed(2), lookAt(s, all, sums.length)]), [1, 2, 3, 4, 5]);
  fill("entries", ledger.entries.slice(-50).reverse().map((e) => [e.submission, e.account, e.outcome, e.score === null ? "" : e.score, e.charged.toFixed(3), date(e.time)]), [0, 3, 4]);
}

async function showAccount() {
  account = null;
  find("host").hidden = true;
  list("left", []);
  if (find("token").value) {
    sessionStorage.setItem(KEY, find("token").value);
    try {
      account = await get("v1/account");
      const isHost = account.role === "host";
      say(isHost ? "The host's account: it does not submit." : "Account " + account.account, "");
      find("send").disabled = isHost;
      find("host").hidden = !isHost;
      if (isHost) await showHost();
      else showLeft(account.left, account.spent);
    } catch (error) {
      say(error.message, "bad");
    }
  }
  await showPlaces();
}

function say(text, kind) {
  find("answer").textContent = text;
  find("answer").className = kind;
}

function sayAnswer(ok, reply) {
  if (!ok) say(reply.error + (reply.row == null ? "" : " (row " + reply.row + ", from 0)"), "bad");
  else say("Score " + reply.score + ": " + reply.text + ". Entry " + reply.submission + ", receipt " + reply.receipt.slice(0, 16) + "...", "good");
  if (reply.left) showLeft(reply.left, reply.spent);
}

async function submit(event) {
  event.preventDefault();
  const file = find("file").files[0];
  if (!find("token").value) return say("Enter your token first.", "bad");
  if (!file) return say("Choose a file first.", "bad");
  find("send").disabled = true;
  say("Scoring.", "");
  try {
    const response = await fetch("v1/submissions", { method: "POST", headers: { ...headers(), "Content-Type": "application/octet-stream" }, body: file });
    sayAnswer(response.ok, await response.json());
    await showPlaces();
  } catch (error) {
    say("The server could not be reached: try again. The same file is charged once.", "bad");
  }
  find("send").disabled = false;
}

function listenForFiles() {
  const drop = find("drop");
  for (const name of ["dragover", "dragleave", "drop"])
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", name === "dragover");
      if (name === "drop" && event.dataTransfer.files.length > 0) find("file").files = event.dataTransfer.files;
    });
}

async function showPolicy() {
  const reply = await get("v1/policy");
  const policy = reply.policy, scorer = policy.scorer, promise = policy.promise || {};
  const what = scorer.metric || scorer.scorer || "the host's own";
  let about = "Metric: " + what + " over " + scorer.rows + " hidden rows. " + (scorer.release ? "A score is shown only where it reaches a new level" : "Scores are shown with noise") + ", and every answer is charged to a ledger.";
  if (promise.share) about += " Promised: from all answers together no method gets more than " + share(promise.share) + " of the labels right on average.";
  find("about").textContent = about;
  find("policy").textContent = "Policy " + reply.digest;
  find("file-help").textContent = "CSV or .npy with " + scorer.rows + " rows, gzip'd or not; at most " + (reply.max_body / 1e6).toFixed(1) + " MB.";
}

find("form").addEventListener("submit", submit);
find("token").addEventListener("change", showAccount);
find("command").textContent = "curl -H 'Authorization: Bearer TOKEN' --data-binary @submission.csv " + location.origin + "/v1/submissions";
find("token").value = sessionStorage.getItem(KEY) || (location.hash.startsWith("#token=") ? location.hash.slice(7) : "");
if (location.hash.startsWith("#token=")) history.replaceState(null, "", location.pathname); /* it is not for the history */
listenForFiles();
showPolicy().catch((error) => say(error.message, "bad"));
showAccount();
