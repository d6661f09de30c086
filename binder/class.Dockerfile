# The course as an image for a class: JupyterLab on its own, or a hub's server for one learner (binder/hub.yaml).
#
#   docker build -f binder/class.Dockerfile -t accelerator-course:0.1.0 .
#   docker build -f binder/class.Dockerfile -t accelerator-course:0.1.0-small --build-arg JAX=no .
#   docker run --rm -p 8888:8888 -v course-home:/home/jovyan accelerator-course:0.1.0
#
# It is not called Dockerfile: Binder would build that, and leave everything else in this folder aside.

ARG BASE=python:3.11.13-slim-bookworm

FROM ${BASE} AS build
ARG JAX=yes
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /build
RUN python -m venv /opt/course
COPY binder/requirements.txt binder/hub-requirements.txt binder/without_jax.py ./binder/
RUN if [ "$JAX" = no ]; then python binder/without_jax.py < binder/requirements.txt > chosen.txt; \
    else cp binder/requirements.txt chosen.txt; fi \
 && /opt/course/bin/pip install --require-hashes -r chosen.txt \
 && /opt/course/bin/pip install --require-hashes -r binder/hub-requirements.txt
COPY pyproject.toml setup.py requirements.txt README.md LICENSE ./
COPY accelerator_lib ./accelerator_lib
COPY accelerator_course ./accelerator_course
COPY notebooks ./notebooks
COPY quizzes ./quizzes
RUN /opt/course/bin/pip install --no-deps --no-build-isolation .

FROM ${BASE}
# git is what nbgitpuller fetches with.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends git \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 1000 --gid 100 --create-home jovyan
COPY --from=build /opt/course /opt/course
COPY binder/entry /usr/local/bin/entry
ENV PATH=/opt/course/bin:$PATH HOME=/home/jovyan LANG=C.UTF-8 PYTHONUNBUFFERED=1
USER 1000:100
WORKDIR /home/jovyan
EXPOSE 8888
HEALTHCHECK --interval=30s --timeout=5s --start-period=90s CMD ["/usr/local/bin/entry", "--healthy"]
ENTRYPOINT ["/usr/local/bin/entry"]
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--port=8888", "--no-browser", \
     "--LabApp.default_url=/lab/tree/accelerator-course/00_start_here.ipynb"]
