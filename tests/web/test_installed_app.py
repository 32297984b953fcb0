"""What makes the site an app: its manifest, its service worker, its offline page."""

import re
from struct import unpack

import pytest

from sarai.web.assets import STATIC


def settings_of(script):
    """Return what the server wrote into the service worker."""
    return re.search(r"^const \{.*?\} = (\{.*\});$", script, re.MULTILINE)[1]


@pytest.mark.parametrize("code", ["en", "fa"])
def test_the_manifest_has_what_browsers_want_in_the_visitors_language(web, all_languages, code):
    async def go(trial):
        ann = trial.visitor()
        page = await ann.get("/")
        assert '<link rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials">' in page.text
        answer = await ann.get("/manifest.webmanifest", headers={"accept-language": code})
        manifest = answer.json()
        assert answer.headers["content-type"].startswith("application/manifest+json")
        assert {name: manifest[name] for name in ("id", "start_url", "scope", "display", "lang", "dir")} == {
            "id": "/",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "lang": code,
            "dir": "rtl" if code == "fa" else "ltr",
        }
        purposes = set()
        for icon in manifest["icons"]:
            file = await ann.get(icon["src"])
            assert file.status_code == 200 and file.headers["content-type"] == icon["type"]
            assert len(file.content) < 20_000 and "immutable" in file.headers["cache-control"]
            if icon["type"] == "image/png":
                assert "{}x{}".format(*unpack(">II", file.content[16:24])) == icon["sizes"]
            purposes.add((icon["sizes"], icon["purpose"]))
        assert purposes >= {("any", "any"), ("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}

    web(go)


def test_the_policy_allows_what_this_needs_and_nothing_more(web):
    async def go(trial):
        policy = (await trial.visitor().get("/")).headers["content-security-policy"].split("; ")
        assert sorted(policy) == [
            "base-uri 'none'",
            "connect-src 'self'",
            "default-src 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "img-src 'self'",
            "manifest-src 'self'",
            "script-src 'self'",
            "style-src 'self'",
            "worker-src 'self'",
        ]

    web(go)


def test_the_service_worker_is_asked_for_each_time_and_changes_with_what_it_keeps(web, all_languages, monkeypatch):
    async def go(trial):
        ann = await trial.visitor().named("Ann")
        answer = await ann.get("/service-worker.js")
        assert answer.headers["cache-control"] == "private, no-cache"
        assert answer.headers["content-type"].startswith("text/javascript")
        assert settings_of(answer.text) == settings_of((await trial.visitor().get("/service-worker.js")).text)
        persian = await ann.get("/service-worker.js", headers={"accept-language": "fa"})
        evening = await ann.get("/service-worker.js", headers={"cookie": "scheme=dark"})
        texts = {settings_of(other.text) for other in (answer, persian, evening)}
        assert len(texts) == 3, "what is kept depends on them"
        monkeypatch.setattr(trial.site.assets, "address", lambda name: f"/static/other-{name}")
        trial.site.templates.globals["asset"] = trial.site.assets.address
        assert settings_of((await ann.get("/service-worker.js")).text) not in texts

    web(go)


def test_the_offline_page_needs_only_what_is_kept_with_it_and_knows_nobody(web, all_languages):
    async def go(trial):
        ann = await trial.visitor().named("Ann-Kathrin")
        page = (await ann.get("/offline", headers={"accept-language": "he"})).text
        assert 'lang="he" dir="rtl"' in page and "he·No connection" in page and "Ann-Kathrin" not in page
        kept = settings_of((await ann.get("/service-worker.js")).text)
        files = re.findall(r'(?:src|<link[^>]* href)="([^"]*)"', page)
        assert len(files) == 4 and all(f'"{file}"' in kept for file in files)
        style = (STATIC / "site.css").read_text(encoding="utf-8")
        assert not re.search(r"url\(", re.search(r"\.offline \{[^}]*\}", style)[0])

    web(go)
